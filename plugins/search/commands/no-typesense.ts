/** Commands about the Typesense index print this if none is configured. */
export const NO_TYPESENSE = 'TYPESENSE_URL is not set: searches use Postgres alone, which needs neither.'
