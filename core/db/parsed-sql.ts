/** The statements of a text as trees of the parser's nodes; undefined where it is no SQL. */
export type ParsedSql = readonly unknown[] | undefined
