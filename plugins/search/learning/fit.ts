import type { Balance } from '../ranking/signal.ts'

/** A result of a query with signals, in its state at that time. */
export interface JudgedResult {
  readonly memoryId: string
  /** 1 is helpful, −1 not helpful, 0 without a judgement. */
  readonly judgement: -1 | 0 | 1
  /** Scores the result from 0 to 1 under a balance, with everything else fixed. */
  score(balance: Balance): number
}

export interface JudgedQuery {
  readonly queryHash: string
  readonly results: readonly JudgedResult[]
}

/** The result of a fit. */
export interface Fit {
  readonly balance: Balance
  /** The effect on queries outside the training folds, see {@link validated}. */
  readonly effect: Effect
  readonly better: boolean
}

export interface Effect {
  /** The share of judged pairs in the right order, averaged over queries, with the current balance. */
  readonly before: number
  /** The same share with balances fitted to the other queries. */
  readonly after: number
  readonly queries: number
}

/** The bounds let age and priority decide between results of similar relevance, but never outweigh it. */
export const RECENCY_MAX = 0.6
export const PRIORITY_MAX = 0.4
const RECENCIES = [0, 0.02, 0.04, 0.06, 0.08, 0.11, 0.15, 0.2, 0.27, 0.36, 0.47, RECENCY_MAX]
const PRIORITIES = [0, 0.03, 0.06, 0.09, 0.12, 0.16, 0.2, 0.25, 0.32, PRIORITY_MAX]

/** Fewer queries cannot support a conclusion about others. */
export const QUERIES_MIN = 10
const FOLDS = 5
/** A better balance must order this share of pairs more correctly, and by more than chance. */
const GAIN_MIN = 0.01
const STANDARD_ERRORS = 2
/** The scale of relevant score differences in logits; a few times this value settles a pair. */
const TEMPERATURE = 0.1
/** The weight of the default balance: a step of {@link PRIOR_SPREAD} away must win over this many queries. */
const PRIOR_QUERIES = 1
const PRIOR_SPREAD = 0.5

/**
 * Fits the balance that ranks helpful results above the others and unhelpful ones below. It minimizes the share of pairs in the wrong order
 * on a grid within the bounds, with a slight pull towards `prior`. Each pair counts by a sigmoid of its margin (after Qin, Liu and Li, "A
 * general approximation framework for direct optimization of information retrieval measures", 2010), so that one mistaken signal costs no
 * more than one pair. A fit is better only if balances fitted to a part of the queries order the rest better than `current` does. The
 * function is deterministic.
 *
 * @returns undefined when there are too few queries with a judged pair
 */
export function fitBalance(queries: readonly JudgedQuery[], current: Balance, prior: Balance): Fit | undefined {
  const grid = gridWith(current, prior)
  const tables = queries
    .toSorted((a, b) => (a.queryHash < b.queryHash ? -1 : 1))
    .flatMap(query => tableOf(query, grid) ?? [])
  if (tables.length < QUERIES_MIN) return undefined
  const penalties = grid.map(balance => penaltyOf(balance, prior))
  const balance = grid[bestOf(tables, penalties)] ?? current
  const now = grid.findIndex(({ recency, priority }) => recency === current.recency && priority === current.priority)
  const { effect, better } = validated(tables, penalties, now)
  const moves = balance.recency !== current.recency || balance.priority !== current.priority
  return { balance, effect, better: better && moves }
}

/** The evaluation of one query for each balance of the grid. */
interface Table {
  readonly judged: ReadonlySet<string>
  readonly loss: readonly number[]
  /** The share of pairs in the right order; a tie counts half. */
  readonly agreement: readonly number[]
}

function gridWith(current: Balance, prior: Balance): Balance[] {
  const axis = (values: readonly number[], ...more: readonly number[]) => [...new Set([...values, ...more])]
  return axis(RECENCIES, current.recency, prior.recency).flatMap(recency =>
    axis(PRIORITIES, current.priority, prior.priority).map(priority => ({ recency, priority })),
  )
}

function tableOf({ results }: JudgedQuery, grid: readonly Balance[]): Table | undefined {
  const pairs = pairsOf(results)
  if (pairs.length === 0) return undefined
  const loss: number[] = []
  const agreement: number[] = []
  for (const balance of grid) {
    const logits = results.map(result => logit(result.score(balance)))
    let [lost, right] = [0, 0]
    for (const [above, below] of pairs) {
      const margin = (logits[above] ?? 0) - (logits[below] ?? 0)
      lost += 1 / (1 + Math.exp(margin / TEMPERATURE))
      right += margin > 0 ? 1 : margin === 0 ? 0.5 : 0
    }
    loss.push(lost / pairs.length)
    agreement.push(right / pairs.length)
  }
  const judged = new Set(results.filter(({ judgement }) => judgement !== 0).map(({ memoryId }) => memoryId))
  return { judged, loss, agreement }
}

/** Lists pairs of result indices of which the first should rank above the second. */
function pairsOf(results: readonly JudgedResult[]): [number, number][] {
  return results.flatMap((above, i) =>
    results.flatMap((below, j): [number, number][] => (above.judgement > below.judgement ? [[i, j]] : [])),
  )
}

/** The scale on which balance terms add up, so that scores near 1 spread as far as those in the middle. */
function logit(score: number): number {
  const bounded = Math.min(1 - 1e-9, Math.max(1e-9, score))
  return Math.log(bounded / (1 - bounded))
}

function penaltyOf({ recency, priority }: Balance, prior: Balance): number {
  const distance = Math.hypot(recency - prior.recency, priority - prior.priority) / PRIOR_SPREAD
  return PRIOR_QUERIES * distance ** 2
}

/** Finds the grid index with the least loss over these queries. */
function bestOf(tables: readonly Table[], penalties: readonly number[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (const [at, penalty] of penalties.entries()) {
    const loss = tables.reduce((sum, table) => sum + (table.loss[at] ?? 0), penalty)
    if (loss < least) [best, least] = [at, loss]
  }
  return best
}

/**
 * Cross-validates by query. The training and test queries of a fold share neither a query nor a judged memory, so a memory that everybody
 * likes proves nothing about others.
 */
function validated(tables: readonly Table[], penalties: readonly number[], now: number) {
  const gains: number[] = []
  let [before, after] = [0, 0]
  for (let fold = 0; fold < FOLDS; fold++) {
    const held = tables.filter((_, index) => index % FOLDS === fold)
    const known = new Set(held.flatMap(({ judged }) => [...judged]))
    const others = tables.filter((table, index) => index % FOLDS !== fold && known.isDisjointFrom(table.judged))
    const fitted = others.length * 2 < QUERIES_MIN ? now : bestOf(others, penalties)
    for (const { agreement } of held) {
      const [was, is] = [agreement[now] ?? 0, agreement[fitted] ?? 0]
      before += was
      after += is
      gains.push(is - was)
    }
  }
  const effect: Effect = { before: before / gains.length, after: after / gains.length, queries: gains.length }
  const gain = effect.after - effect.before
  return { effect, better: gain >= GAIN_MIN && gain >= STANDARD_ERRORS * standardError(gains) }
}

function standardError(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1)
  return Math.sqrt(variance / values.length)
}
