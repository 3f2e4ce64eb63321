import {
  type Background,
  type Chore,
  type Database,
  type Fragment,
  Portion,
  plainArray,
  type Quarantine,
  type Tx,
  textArray,
} from 'mneme/plugin'

/** One transaction folds this many deltas, which keeps it short. */
const FOLD_MAX = 2000
/** It also folds at most so many words, and of a text that has more a part. */
const FOLD_WORDS = { least: 200, most: 5_000 }
/** One run covers this many workspaces; the next run continues. */
const WORKSPACES_MAX = 200
/** The first key of the advisory locks that keep two servers from folding the same workspace at once. */
const FOLD_LOCK = 7_204_201

/** Where nothing was waiting, it looks again this much later: until then searches add up what is pending. */
const IDLE_MS = 15_000

const NAME = 'search:fold'

/** A chore is waited for when the service stops. */
const NEVER = new AbortController().signal

/** Builds the chore that keeps document frequencies up to date. */
export function foldChore(services: FoldServices) {
  const words = new Portion(FOLD_WORDS)
  const run = async () => ((await foldDeltas(services, words)) ? 'busy' : 'idle')
  return { name: 'search.fold', everyMs: 2000, idleMs: IDLE_MS, run } satisfies Chore
}

interface FoldServices {
  readonly database: Database
  readonly quarantine: Quarantine
  /** A text of thousands of new words takes as long as a heavy search, and nobody waits for its fold. */
  readonly background: Background
}

/**
 * Folds the deltas of every workspace into its document frequencies.
 * @returns whether there were any
 */
export async function foldDeltas(
  { database, quarantine, background }: FoldServices,
  words = new Portion(FOLD_WORDS),
): Promise<boolean> {
  const waiting = await database.system(
    tx => tx<{ workspace_id: string }[]>`
      -- across workspaces: finds the workspaces whose deltas are folded, one by one
      select term_delta.workspace_id
      from search.term_delta
      where ${quarantine.admits(tx, NAME, 'term_delta.workspace_id')}
      group by term_delta.workspace_id
      limit ${WORKSPACES_MAX}`,
  )
  if (waiting.length === 0) return false
  await quarantine.sweep({
    name: NAME,
    items: waiting,
    workspaceOf: ({ workspace_id }) => workspace_id,
    signal: NEVER,
    async work(workspaceId) {
      const fold = () => database.workspace(workspaceId, tx => foldWorkspace(tx, workspaceId, words))
      while (await background.run(fold));
    },
  })
  return true
}

/** @returns whether it stopped at a limit; false also when another process has the lock */
async function foldWorkspace(tx: Tx, workspaceId: string, words: Portion): Promise<boolean> {
  const [lock] = await tx<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock(${FOLD_LOCK}, hashtext(${workspaceId})) as free`
  if (!lock?.free) return false
  const { size } = words
  const { limited, unused } = await words.timed(
    () => foldOldest(tx, workspaceId, size),
    folded => folded.words,
  )
  if (unused.length > 0) await deleteWords(tx, workspaceId, unused)
  return limited
}

interface Folded {
  readonly words: number
  readonly limited: boolean
  /** Words that no text contains any more. */
  readonly unused: readonly string[]
}

async function foldOldest(tx: Tx, workspaceId: string, wordsMax: number): Promise<Folded> {
  const next = await oldestDeltas(tx, workspaceId)
  const taken = next.filter(({ size_so_far }) => size_so_far <= wordsMax)
  const [first] = next
  const begun = first && taken.length === 0 ? [first] : []
  const folded = [...taken, ...begun]
  if (folded.length === 0) return { words: 0, limited: false, unused: [] }
  const [terms] = await Promise.all([
    addWords(tx, workspaceId, folded, begun.length > 0 ? wordsMax : WORDS_ALL),
    tx`
      insert into search.corpus_stat (workspace_id, documents, total_length)
      select term_delta.workspace_id, sum(term_delta.sign), sum(term_delta.sign * term_delta.length)
      from search.term_delta
      where term_delta.workspace_id = ${workspaceId} and ${among(tx, taken)}
      group by term_delta.workspace_id
      on conflict on constraint corpus_stat_pk do update
      set documents = corpus_stat.documents + excluded.documents,
        total_length = corpus_stat.total_length + excluded.total_length`,
    tx`delete from search.term_delta where term_delta.workspace_id = ${workspaceId} and ${among(tx, taken)}`,
    // The delta keeps the rest of the words and its length, so that what is folded and what is pending add up at any time.
    begun.length > 0 &&
      tx`
        update search.term_delta
        set words = ts_delete(term_delta.words, (tsvector_to_array(term_delta.words))[1:${wordsMax}])
        where term_delta.workspace_id = ${workspaceId} and ${among(tx, begun)}`,
  ])
  return {
    words: folded.reduce((sum, { size }) => sum + Math.min(size, wordsMax), 0),
    limited: next.length === FOLD_MAX || taken.length < next.length,
    unused: terms.filter(({ documents }) => documents === 0).map(({ lexeme }) => lexeme),
  }
}

/** A delta that is to be folded. Its time is text, since a number would lose a part of it. */
interface Delta {
  readonly written_at: string
  readonly id: string
  readonly size: number
  readonly size_so_far: number
}

/** Holds for these deltas. */
function among(tx: Tx, deltas: readonly Delta[]): Fragment {
  return tx`(term_delta.written_at, term_delta.id) in (
    select chosen.written_at, chosen.id
    from unnest(
      ${textArray(deltas.map(delta => delta.written_at))}::timestamptz[], ${plainArray(deltas.map(({ id }) => id))}::uuid[]
    ) as chosen (written_at, id)
  )`
}

/** Reads the next deltas, each with how many words it and those before it have. */
function oldestDeltas(tx: Tx, workspaceId: string) {
  return tx<Delta[]>`
    select sized.written_at::text, sized.id, sized.size, (sum(sized.size) over (order by sized.place))::integer as size_so_far
    from (
      select placed.*,
        -- Only the first can have been begun, so its words are counted; to count those of all would read them all.
        case when placed.place = 1 then length(placed.words) else placed.length end as size
      from (
        select oldest.*, row_number() over (order by oldest.written_at, oldest.id) as place
        from (
          select term_delta.*
          from search.term_delta
          where term_delta.workspace_id = ${workspaceId}
          order by term_delta.written_at, term_delta.id
          limit ${FOLD_MAX}
        ) as oldest
      ) as placed
    ) as sized
    order by sized.place`
}

const WORDS_ALL = 2_147_483_647

/** Adds the words of deltas, of each so many at the most, to the document frequencies and returns the new ones. */
function addWords(tx: Tx, workspaceId: string, deltas: readonly Delta[], wordsMax: number) {
  return tx<{ lexeme: string; documents: number }[]>`
    insert into search.term_stat (workspace_id, lexeme, documents)
    select term_delta.workspace_id, word.lexeme, sum(term_delta.sign)::integer
    from search.term_delta
    cross join lateral unnest((tsvector_to_array(term_delta.words))[1:${wordsMax}]) as word (lexeme)
    where term_delta.workspace_id = ${workspaceId} and ${among(tx, deltas)}
    group by term_delta.workspace_id, word.lexeme
    having sum(term_delta.sign) <> 0
    order by word.lexeme
    on conflict on constraint term_stat_pk do update
    set documents = term_stat.documents + excluded.documents
    returning lexeme, documents`
}

/** A word that no text contains would reveal the content of a deleted one. */
async function deleteWords(tx: Tx, workspaceId: string, words: readonly string[]): Promise<void> {
  await tx`
    delete from search.term_stat
    where term_stat.workspace_id = ${workspaceId}
      and term_stat.documents = 0
      and term_stat.lexeme in (select jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb))`
}

/**
 * A search counts this many deltas that are not folded yet. A chore folds every two seconds, so only a flood of writes leaves more, and
 * then some of them count late.
 */
const PENDING_MAX = 1000
/** They may also hold this many words together, so that a flood of long texts costs no more. */
const PENDING_WORDS_MAX = 100_000

/**
 * Selects the sign, the length and the words of a workspace's newest deltas, which the document frequencies do not contain yet.
 * @param wordsMax of all deltas together
 */
export function pendingDeltas(tx: Tx, workspaceId: string, wordsMax = PENDING_WORDS_MAX) {
  return tx`
    -- Joined with nothing, the words of a long text are fetched from the TOAST table once, and not again for each term.
    select counted.sign, counted.length, counted.words || ''::tsvector as words
    from (
      select newest.*, sum(newest.length) over (order by newest.written_at desc, newest.id desc) - newest.length as words_before
      from (
        select term_delta.*
        from search.term_delta
        where term_delta.workspace_id = ${workspaceId}
        order by term_delta.written_at desc, term_delta.id desc
        limit ${PENDING_MAX}
      ) as newest
    ) as counted
    where counted.words_before < ${wordsMax}`
}
