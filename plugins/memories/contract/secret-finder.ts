/** A place in a text that is nobody else's to know. */
export interface Secret {
  /** Names the rule that found it: `github`, `privatekey`, `card`. */
  readonly kind: string
  readonly start: number
  readonly end: number
}

export type FindSecrets = (text: string) => readonly Secret[]

/** The part of secretlint's rules that is used. */
interface Rule {
  readonly meta: { readonly id: string; readonly type: 'scanner' | 'filter' }
  create(context: object, options: object): { file?(source: { readonly content: string }): unknown }
}

interface Report {
  readonly range: readonly [start: number, end: number]
}

/** This rule reads the file that a text came from; the key in a service account's JSON is found as a private key. */
const READS_FILES = 'gcp'

let loading: Promise<FindSecrets> | undefined

/** Loads the rules once, and only for who needs them. */
export function loadFinder(): Promise<FindSecrets> {
  loading ??= load().catch(error => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<FindSecrets> {
  const [preset, cards] = await Promise.all([
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('card-validator'),
  ])
  const rules: readonly Rule[] = preset.rules
  const byRule = ruleFinder(rules)
  return text => distinct([...byRule(text), ...findCards(text, cards.default.number)])
}

/** A rule that filters lets a comment in a text switch others off, which is not for the text to say. */
function ruleFinder(rules: readonly Rule[]): (text: string) => Secret[] {
  let found: Secret[] = []
  const scanners = rules
    .filter(({ meta }) => meta.type === 'scanner' && kindOf(meta.id) !== READS_FILES)
    .map(({ meta, create }) => {
      const kind = kindOf(meta.id)
      const report = ({ range: [start, end] }: Report) => void found.push({ kind, start, end })
      const context = { sharedOptions: {}, createTranslator: () => () => ({}), report, ignore: () => undefined }
      return create(context, {})
    })
  return content => {
    found = []
    for (const scanner of scanners) scanner.file?.({ content })
    return found
  }
}

/** `@secretlint/secretlint-rule-github` finds the kind `github`. */
function kindOf(ruleId: string): string {
  return ruleId.slice(ruleId.lastIndexOf('-rule-') + '-rule-'.length)
}

/** As many digits as a card number has, alone or with spaces or hyphens between its groups. */
const DIGITS = /(?<![\w.+-])\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)/g

/** No card has more groups; a long row of short numbers is not looked at further. */
const GAPS_MAX = 4

type CheckNumber = typeof import('card-validator').number

function findCards(text: string, check: CheckNumber): Secret[] {
  return [...text.matchAll(DIGITS)].flatMap(({ 0: written, index: start }) => {
    const gaps = [...written.matchAll(/[ -]/g)].map(({ index }, before) => index - before)
    if (gaps.length > GAPS_MAX) return []
    const { card, isValid } = check(written, { luhnValidateUnionPay: true })
    // Other groups are those of another number: a telephone's, or several numbers in a row.
    if (!isValid || !card || gaps.some((gap, n) => gap !== card.gaps[n])) return []
    return [{ kind: 'card', start, end: start + written.length }]
  })
}

/** Lets the first of those that overlap stand for all. */
function distinct(secrets: readonly Secret[]): Secret[] {
  const kept: Secret[] = []
  for (const secret of secrets.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (!last || secret.start >= last.end) kept.push(secret)
    else if (secret.end > last.end) kept.splice(-1, 1, { ...last, end: secret.end })
  }
  return kept
}
