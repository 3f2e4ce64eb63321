import process from 'node:process'
import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type CommandInput, messageOf, type StandaloneCommand } from 'mneme/plugin'
import { SEARCH_MODES, type SearchMode } from '../../memories/contract.ts'
import { evaluate, type ModeFigures, SearchFailed } from '../evaluation/evaluate.ts'
import { BadQuestions, readQuestions } from '../evaluation/questions.ts'

/** Asks a running server questions with known answers, and reports the quality and latency of its results. */
export const evalCommand: StandaloneCommand = {
  standalone: true,
  name: 'eval',
  usage: 'FILE [--url URL] [--key KEY] [--mode MODE]… [--expand] [--require FIGURE=VALUE]… [--misses N] [--json]',
  summary: 'Ask a running server questions with known answers: recall, MRR and latency by mode.',
  async run({ args, print, signal }) {
    try {
      return await evaluateFile(readArguments(args), { print, signal })
    } catch (error) {
      if (error instanceof WrongCall || error instanceof BadQuestions) {
        complain(error.message)
        return 2
      }
      if (!(error instanceof SearchFailed)) throw error
      complain(error.message)
      return 1
    }
  },
}

class WrongCall extends Error {}

/** Messages go to stderr, so that stdout stays parseable as JSON. */
function complain(message: string): void {
  process.stderr.write(`${message}\n`)
}

interface Requirement {
  readonly name: keyof typeof FIGURES
  readonly bound: number
}

interface Arguments {
  readonly file: string
  readonly base: string
  readonly key: string
  readonly modes: readonly SearchMode[]
  readonly expand: boolean
  readonly requirements: readonly Requirement[]
  readonly misses: number
  readonly json: boolean
}

async function evaluateFile(
  { file, base, key, modes, expand, requirements, misses, json }: Arguments,
  { print, signal }: Pick<CommandInput<never>, 'print' | 'signal'>,
): Promise<number> {
  const questions = await readQuestions(file)
  const figures = await evaluate({ base, key, signal }, questions, modes, expand)
  if (json) print(reportJson(figures, questions.length))
  else for (const line of reportLines(figures, questions.length, misses)) print(line)
  const failures = figures
    .slice(0, 1)
    .flatMap(first => requirements.flatMap(requirement => failureOf(requirement, first)))
  for (const failure of failures) complain(`${modes[0]}: ${failure}`)
  return failures.length > 0 ? 1 : 0
}

/** For missing results fewer are better; for every other figure more. */
function failureOf({ name, bound }: Requirement, figures: ModeFigures): string[] {
  const figure = FIGURES[name](figures)
  const isUpper = name === 'zero-results'
  if (isUpper ? figure <= bound : figure >= bound) return []
  return [`${name} is ${Number(figure.toFixed(3))}; ${isUpper ? 'at most' : 'at least'} ${bound} was required.`]
}

function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parsed(args)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new WrongCall('Name one file of questions. See docs/evaluation.md.')
  if (values.key === '') throw new WrongCall('An API key is missing: --key, or MNEME_API_KEY in the environment.')
  const misses = Number(values.misses)
  if (!Number.isInteger(misses) || misses < 0) throw new WrongCall('--misses takes a number of questions to show.')
  return {
    file,
    base: baseOf(values.base ?? values.url),
    key: values.key,
    modes: (values.mode ?? SEARCH_MODES).map(modeOf),
    expand: values.expand,
    requirements: (values.require ?? []).map(requirementOf),
    misses,
    json: values.json,
  }
}

/** These variables configure the caller of a server, so they are not settings of the plugin. */
const environment = Type.Object({
  MNEME_URL: Type.String({ default: 'http://127.0.0.1:3000' }),
  MNEME_API_KEY: Type.String({ default: '' }),
})

function parsed(args: readonly string[]) {
  const { MNEME_URL, MNEME_API_KEY } = Value.Parse(environment, { ...process.env })
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string', default: MNEME_URL },
        // The former name of `--url`.
        base: { type: 'string' },
        key: { type: 'string', default: MNEME_API_KEY },
        mode: { type: 'string', multiple: true },
        expand: { type: 'boolean', default: false },
        require: { type: 'string', multiple: true },
        misses: { type: 'string', default: '5' },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new WrongCall(messageOf(error), { cause: error })
  }
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new WrongCall(`--url takes an address such as http://127.0.0.1:3000, not ${text}.`)
  }
  return text.replace(/\/+$/, '')
}

function modeOf(text: string): SearchMode {
  const mode = SEARCH_MODES.find(known => known === text)
  if (!mode) throw new WrongCall(`--mode is one of ${SEARCH_MODES.join(', ')}, not ${text}.`)
  return mode
}

function requirementOf(text: string): Requirement {
  const [, name = '', value = ''] = /^([^=]+)=([01]|0?\.\d+|1\.0+)$/.exec(text) ?? []
  if (!isFigure(name)) {
    throw new WrongCall(
      `--require takes FIGURE=VALUE with a value from 0 to 1 and one of ${Object.keys(FIGURES).join(', ')}, not ${text}.`,
    )
  }
  return { name, bound: Number(value) }
}

function isFigure(name: string): name is keyof typeof FIGURES {
  return Object.hasOwn(FIGURES, name)
}

/** The width fits the longest name in the table's head. */
const WIDTH = 12

/** The figures by the names that `--json`, `--require` and the table use. */
const FIGURES = {
  'recall@5': figures => figures.recall5,
  'recall@10': figures => figures.recall10,
  'recall@20': figures => figures.recall20,
  mrr: figures => figures.reciprocalRank,
  'hit@10': figures => figures.hit10,
  'zero-results': figures => figures.zeroResults,
} satisfies Record<string, (figures: ModeFigures) => number>

/** Formats a table with a line for each mode, then failures and misses. */
function reportLines(all: readonly ModeFigures[], questions: number, missesShown: number): string[] {
  const names = Object.keys(FIGURES)
  const head = ['mode'.padEnd(9), ...names.map(cell), cell('p50 ms'), cell('p95 ms')].join('  ')
  return [
    `${questions} ${questions === 1 ? 'question' : 'questions'}`,
    '',
    head,
    ...all.map(lineOf),
    ...all.flatMap(warningLines),
    ...all.slice(0, 1).flatMap(figures => missLines(figures, missesShown)),
  ]
}

function lineOf(figures: ModeFigures): string {
  const shares = Object.values(FIGURES).map(figure => cell(figure(figures).toFixed(3)))
  const times = [figures.p50Ms, figures.p95Ms].map(ms => cell(ms.toFixed(1)))
  return [figures.mode.padEnd(9), ...shares, ...times].join('  ')
}

function cell(text: string): string {
  return text.padStart(WIDTH)
}

function warningLines({ mode, warnings }: ModeFigures): string[] {
  return Object.entries(warnings).map(([warning, count]) => `${mode}: ${count} responses warned: ${warning}`)
}

function missLines({ mode, misses }: ModeFigures, shown: number): string[] {
  if (misses.length === 0 || shown === 0) return []
  const lines = misses.slice(0, shown).map(({ query, found, bestRank }) => {
    const what =
      bestRank === null ? 'nothing expected' : `${Math.round(found * 100)} % of what is expected, first at ${bestRank}`
    return `  ${query}: ${what}`
  })
  return ['', `Not all found among the first 20 (${mode}): ${misses.length}`, ...lines]
}

/** Formats the same figures as JSON. */
function reportJson(all: readonly ModeFigures[], questions: number): string {
  const modes = all.map(figures => ({
    mode: figures.mode,
    ...Object.fromEntries(
      Object.entries(FIGURES).map(([name, figure]) => [name.replace('@', '_at_').replace('-', '_'), figure(figures)]),
    ),
    p50_ms: figures.p50Ms,
    p95_ms: figures.p95Ms,
    warnings: figures.warnings,
    misses: figures.misses.map(({ query, found, bestRank }) => ({ query, found, best_rank: bestRank })),
  }))
  return JSON.stringify({ questions, modes }, null, 2)
}
