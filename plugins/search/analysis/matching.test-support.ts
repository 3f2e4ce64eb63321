import { PGlite } from '@electric-sql/pglite'
import postgres from 'postgres'
import { analyze } from './analyze.ts'
import { parseQuery } from './parse-query.ts'
import { toKeywordTsquery, toTsvector } from './tsvector.ts'

/** The workspace code contains characters that need quoting, so that every test covers quoting. */
export const PREFIX = `w'\\:`

export interface MatchingDatabase {
  /** Evaluates `vector @@ query` for each query; a null query matches nothing. */
  evaluate(vector: string, queries: readonly (string | null)[]): Promise<boolean[]>
  /** Tells for each keyword query whether it finds the text. */
  findAll(queries: readonly string[], text: string, language?: string): Promise<boolean[]>
  close(): Promise<void>
}

/** Opens the Postgres of TEST_DATABASE_URL, or an embedded one. */
export async function openMatchingDatabase(): Promise<MatchingDatabase> {
  const url = process.env.TEST_DATABASE_URL
  const connection = url === undefined ? await embedded() : native(url)
  const evaluate = async (vector: string, queries: readonly (string | null)[]) => {
    const found = await connection.evaluate(vector, JSON.stringify(queries))
    return found.map(value => value === true)
  }
  const findAll = (queries: readonly string[], text: string, language?: string) => {
    const rendered = queries.map(query =>
      toKeywordTsquery(parseQuery(query, { languages: language === undefined ? [] : [language] }), PREFIX),
    )
    return evaluate(toTsvector(analyze(text, { language }), PREFIX), rendered)
  }
  return { evaluate, findAll, close: connection.close }
}

interface Row {
  found: (boolean | null)[]
}

const STATEMENT = `
with text as materialized (select $1::tsvector as vector)
select array_agg(text.vector @@ query::tsquery order by place) as found
from text, jsonb_array_elements_text($2::text::jsonb) with ordinality as queries (query, place)`

async function embedded() {
  const database = await PGlite.create()
  return {
    evaluate: async (vector: string, queries: string) => {
      const { rows } = await database.query<Row>(STATEMENT, [vector, queries])
      return rows[0]?.found ?? []
    },
    close: () => database.close(),
  }
}

function native(url: string) {
  const sql = postgres(url, { max: 1 })
  return {
    evaluate: async (vector: string, queries: string) => {
      const rows = await sql.unsafe<Row[]>(STATEMENT, [vector, queries])
      return rows[0]?.found ?? []
    },
    close: () => sql.end(),
  }
}
