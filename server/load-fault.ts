/** Faults of a build that one message names. */
const FAULTS_MAX = 3

/**
 * Says why a plugin's module could not be loaded, for its author.
 * @param entries what plugins can import from Mneme
 */
export function loadFault(error: unknown, entries: Iterable<string>): string {
  // Bun gathers the faults of a file that it cannot parse, and says in the message only how many there are.
  const faults = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error]
  const said = faults.slice(0, FAULTS_MAX).map(withPlace).join('; ')
  return WANTS_MNEME.test(said) ? `${said}. Of Mneme a plugin can import ${[...entries].join(', ')}.` : said
}

/** The runtimes say this where a module of Mneme is none of its public entries. */
const WANTS_MNEME = /Cannot find (?:package|module) ['"]mneme\b|unprepared module: \S*\/mneme\//

function withPlace(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const position: unknown = Reflect.get(error, 'position')
  if (typeof position !== 'object' || position === null) return error.message
  return `${error.message} (${Reflect.get(position, 'file')}:${Reflect.get(position, 'line')})`
}
