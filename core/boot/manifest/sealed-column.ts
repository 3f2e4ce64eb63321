import { Type } from '@sinclair/typebox'
import type { SealedColumn } from '../../secrets/secrets.ts'
import { expected, matching, objectOf } from './fields.ts'

const columnName = () => matching('^[a-z_][a-z0-9_]{0,62}$', 'a plain name of SQL')

export const sealedColumn = objectOf<SealedColumn>({
  purpose: matching('^[a-z][a-z0-9-]{0,62}$', 'a word of lower-case letters, digits and hyphens'),
  table: matching('^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$', 'a table of its own schema, as <schema>.<table>'),
  column: columnName(),
  key: Type.Array(columnName(), {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    noun: 'column',
    ...expected('a list of the columns of its primary key'),
  }),
})
