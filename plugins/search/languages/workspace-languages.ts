import {
  BoundedCache,
  type Database,
  type JobQueue,
  languageDetector,
  type NewJob,
  primaryTag,
  type Tenant,
  UNDETERMINED,
} from 'mneme/plugin'
import type { SearchEngine } from '../engine/engine.ts'
import { textLanguage } from '../settings/settings.ts'

/** Texts and queries of unknown language are analysed as English. */
const FALLBACK = 'en'
/** A query is analysed in at most this many languages; each adds a few stems. */
const LANGUAGES_MAX = 12
const WORKSPACES_MAX = 10_000
/** A language that another process added is known after this time. */
const FRESH_MS = 5_000
/** A write commits within this time, and until then only this process knows its language. */
const ADDED_MS = 60_000
/** Re-indexing a large workspace takes minutes and starts over when queued again, so it is not queued more often. */
const QUEUED_AGAIN_MS = 3_600_000

interface Known {
  /** The languages of the texts, the most frequent first. */
  languages: readonly string[]
  readAt: number
  /** The languages of recent writes of this process and their times: a read of the database may have begun before they committed. */
  readonly added: Map<string, number>
  reading?: Promise<void>
  /** The time and the setting of the last re-indexing job. */
  queued?: { readonly setting: string | null; readonly at: number }
}

/** Decides in which language a text is analysed, and in which languages a query is. */
export class WorkspaceLanguages {
  readonly #known = new BoundedCache<Known>({
    name: 'search.languages',
    max: WORKSPACES_MAX,
    maxBytes: 2048 * WORKSPACES_MAX,
  })

  constructor(
    private readonly engine: SearchEngine,
    private readonly database: Database,
    private readonly jobs: JobQueue,
  ) {}

  /** Returns the language of a new text: the workspace's setting, else the detected one, else undefined. */
  async ofText({ workspaceId, workspace }: Tenant, text: string): Promise<string | undefined> {
    const setting = textLanguage.of(workspace)
    const language = setting === null ? (await languageDetector()).detect(text) : primaryTag(setting)
    const known = this.#of(workspaceId)
    // A search right after the write must already use the new language.
    known.added.set(language ?? FALLBACK, performance.now())
    known.languages = [...new Set([...known.languages, language ?? FALLBACK])]
    return language
  }

  /**
   * Returns the languages of the workspace's texts, that of the query first. A query is analysed in all of them, because the language of
   * the wanted text is unknown. It may read the database, so never call it inside a transaction.
   */
  async ofQuery(tenant: Tenant, query: string): Promise<readonly string[]> {
    const languages = await this.#ofTexts(tenant)
    if (!severalOf(languages)) return languages
    const own = await languageAmong(languages, query)
    return [own, ...languages.filter(language => language !== own)]
  }

  async #ofTexts(tenant: Tenant): Promise<readonly string[]> {
    const { workspaceId } = tenant
    const known = this.#of(workspaceId)
    if (performance.now() - known.readAt >= FRESH_MS) {
      known.reading ??= this.#read(tenant, known).finally(() => {
        delete known.reading
      })
      // A cached list is used while it is refreshed; a failure surfaces in the search itself.
      if (known.readAt === Number.NEGATIVE_INFINITY) await known.reading
      else known.reading.catch(() => undefined)
    }
    return known.languages
  }

  #of(workspaceId: string): Known {
    const known = this.#known.get(workspaceId) ?? {
      languages: [],
      readAt: Number.NEGATIVE_INFINITY,
      added: new Map(),
    }
    this.#known.set(workspaceId, known)
    return known
  }

  async #read({ workspaceId, workspace }: Tenant, known: Known): Promise<void> {
    const tag = textLanguage.of(workspace)
    const setting = tag === null ? null : primaryTag(tag)
    const { counts, queued } = await this.database.workspace(workspaceId, async tx => {
      const [found, [last]] = await Promise.all([
        this.engine.languages(tx, workspaceId),
        tx<{ language: string | null }[]>`
          select workspace_language.language
          from search.workspace_language
          where workspace_language.workspace_id = ${workspaceId}`,
      ])
      const due = (last?.language ?? null) !== setting && isDue(known, setting)
      if (due) await this.jobs.enqueue(tx, [reindexJob(workspaceId, setting)])
      return { counts: found, queued: due }
    })
    if (queued) known.queued = { setting, at: performance.now() }
    const ordered = [...counts]
      .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
      .map(([language]) => (language === UNDETERMINED ? FALLBACK : language))
    // The fallback stays in the list, because texts indexed before language detection existed used it.
    const found = [...new Set([...(setting ? [setting] : []), ...ordered, FALLBACK])].slice(0, LANGUAGES_MAX)
    for (const [language, at] of known.added) {
      if (performance.now() - at > ADDED_MS) known.added.delete(language)
    }
    known.languages = [...new Set([...found, ...known.added.keys()])]
    known.readAt = performance.now()
  }
}

/** A question is often too short for its language to be told among all, but not among those of the workspace's texts. */
async function languageAmong(languages: Several, query: string): Promise<string> {
  const detector = await languageDetector()
  const told = detector.detect(query)
  return told !== undefined && languages.includes(told) ? told : detector.likeliest(query, languages)
}

type Several = readonly [string, string, ...string[]]

function severalOf(languages: readonly string[]): languages is Several {
  return languages.length > 1
}

function isDue({ queued }: Known, setting: string | null): boolean {
  return queued?.setting !== setting || performance.now() - queued.at > QUEUED_AGAIN_MS
}

export const REINDEX = 'search:reindex'

/**
 * Builds the job that re-indexes a workspace after its language setting changed. A workspace has one waiting job; a further change replaces
 * it.
 *
 * @param language the new setting; null detects the language of each text
 * @param after the last memory that was re-indexed
 */
export function reindexJob(workspaceId: string, language: string | null, after: string | null = null): NewJob {
  return {
    task: REINDEX,
    key: `${REINDEX}:${workspaceId}`,
    payload: { workspace_id: workspaceId, language, after },
    // The job yields to the processing of new memories.
    priority: 10,
  }
}
