import type { KeyRing } from './key-ring.ts'
import { type Binding, open, PLAINTEXT_CHARACTERS_MAX, seal } from './sealing.ts'
import { type SealedColumn, type SealedPlace, SecretError, type Secrets } from './secrets.ts'

/**
 * Seals and opens values for a plugin.
 * @param isRetired whether all values were sealed again under another key meanwhile, so that nobody could open what
 * this one seals
 */
export function createSecretBox(
  plugin: string,
  columns: readonly SealedColumn[],
  ring: KeyRing,
  isRetired: () => boolean = () => false,
): Secrets {
  const declared = new Map(columns.map(column => [column.purpose, column]))
  const bind = ({ purpose, row }: SealedPlace): Binding => {
    const column = declared.get(purpose)
    if (!column) {
      const message = `plugin ${plugin}: seals for the purpose ${purpose}, which is not in its \`sealed\``
      throw new SecretError('NOT_DECLARED', message)
    }
    return bindingOf(plugin, column, row)
  }
  return Object.freeze<Secrets>({
    seal(plaintext, place) {
      const binding = bind(place)
      if (isRetired()) {
        throw new SecretError(
          'KEY_RETIRED',
          'ENCRYPTION_KEY was changed and retired; start this process with the present one',
        )
      }
      if (plaintext.length > PLAINTEXT_CHARACTERS_MAX) {
        throw new RangeError(
          `plugin ${plugin}: a value for ${place.purpose} has more than ${PLAINTEXT_CHARACTERS_MAX} characters`,
        )
      }
      // A lone half of a surrogate pair has no UTF-8, and would come back as something else.
      if (!plaintext.isWellFormed())
        throw new RangeError(`plugin ${plugin}: a value for ${place.purpose} is no well-formed text`)
      return seal(ring.current, plaintext, binding)
    },
    open: (sealed, place) => open(ring, sealed, bind(place)),
  })
}

/** @throws SecretError NOT_DECLARED for a row that has not exactly the columns of the key */
export function bindingOf(
  plugin: string,
  { purpose, key }: SealedColumn,
  row: Readonly<Record<string, string | number>>,
): Binding {
  const given = Object.keys(row)
  if (given.length !== key.length || !key.every(name => Object.hasOwn(row, name))) {
    const message = `plugin ${plugin}: a value for ${purpose} needs the row's ${key.join(', ')}, and has ${given.join(', ') || 'nothing'}`
    throw new SecretError('NOT_DECLARED', message)
  }
  return { plugin, purpose, row: key.map(name => [name, canonical(row[name] ?? '')]) }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The database writes UUIDs in small letters, while callers may send the ids of a path in capitals. */
function canonical(value: string | number): string {
  const text = String(value)
  return UUID.test(text) ? text.toLowerCase() : text
}
