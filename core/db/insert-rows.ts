import type { Fragment, Tx } from './database.ts'

/** Rows of one statement at the most. */
const ROWS_MAX = 32

/**
 * Inserts rows as lists of values: a distributed Postgres sends these on to their node, where it would copy the rows of a select, which row-level
 * security refuses. Each statement takes a power of two of them, so that a connection prepares six texts for any number; they travel together, in order.
 * @param row the values of one, as `tx`(${id}, ${text})``: texts, numbers and null, since any mix of other kinds would be prepared apart
 * @param insert the statement, as `values => tx`insert into a.b (id, text) values ${values}``
 */
export async function insertRows<T, R = never>(
  tx: Tx,
  items: readonly T[],
  row: (item: T) => Fragment,
  insert: (values: Fragment[]) => PromiseLike<readonly R[]>,
): Promise<R[]> {
  const statements: PromiseLike<readonly R[]>[] = []
  for (let at = 0, size = ROWS_MAX; at < items.length; at += size) {
    while (size > items.length - at) size /= 2
    statements.push(insert(items.slice(at, at + size).map((item, n) => (n === 0 ? row(item) : tx`, ${row(item)}`))))
  }
  return (await Promise.all(statements)).flat()
}
