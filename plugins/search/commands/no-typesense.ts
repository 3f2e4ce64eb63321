/** What commands about the index say where there is none. */
export const NO_TYPESENSE = 'TYPESENSE_URL is not set: searches use Postgres alone, which needs neither.'
