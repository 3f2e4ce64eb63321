import { LRUCache } from 'lru-cache'
import type { Database, JobQueue, Tenant } from 'mneme/plugin'
import { primaryTag, UNDETERMINED } from '../analysis/stemming.ts'
import type { SearchEngine } from '../engine/engine.ts'
import { textLanguage } from '../workspace-settings.ts'
import { detectLanguage } from './detect.ts'
import { readingJob } from './reading-job.ts'

/** What texts without a known language are read as, and queries where nothing is known. */
const FALLBACK = 'en'
/** Languages that a query is read in at the most; each adds a few stems. */
const LANGUAGES_MAX = 12
const WORKSPACES_MAX = 10_000
/** A language that another process brought in is known after this. */
const FRESH_MS = 5_000
/** Reading a large workspace takes minutes; queued again, it begins at the start. */
const QUEUED_AGAIN_MS = 3_600_000

interface Known {
  /** Of the texts, the most frequent first. */
  languages: readonly string[]
  readAt: number
  reading?: Promise<void>
  /** When texts were last queued to be read anew, and for which setting. */
  queued?: { readonly setting: string | null; readonly at: number }
}

/** Says which language a text is read in, and in which ones a query has to be. */
export class WorkspaceLanguages {
  readonly #known = new LRUCache<string, Known>({ max: WORKSPACES_MAX })

  constructor(
    private readonly engine: SearchEngine,
    private readonly database: Database,
    private readonly jobs: JobQueue,
  ) {}

  /** The language a new text is read in: the workspace's, else its own; undefined when nobody knows. */
  async ofText({ workspaceId, workspace }: Tenant, text: string): Promise<string | undefined> {
    const setting = textLanguage.of(workspace)
    const language = setting === null ? await detectLanguage(text) : primaryTag(setting)
    const known = this.#known.get(workspaceId)
    // A search right after the write finds it already.
    if (known && !known.languages.includes(language ?? FALLBACK)) {
      known.languages = [...known.languages, language ?? FALLBACK]
    }
    return language
  }

  /**
   * The languages of the workspace's texts, that of the query itself first: nobody can tell which text is meant, so all are
   * looked for. Reads the database now and then, so never inside a transaction.
   */
  async ofQuery(tenant: Tenant, query: string): Promise<readonly string[]> {
    const languages = await this.#ofTexts(tenant)
    if (languages.length < 2) return languages
    const own = await detectLanguage(query)
    if (own === undefined || !languages.includes(own)) return languages
    return [own, ...languages.filter(language => language !== own)]
  }

  async #ofTexts(tenant: Tenant): Promise<readonly string[]> {
    const { workspaceId } = tenant
    const known = this.#known.get(workspaceId) ?? { languages: [], readAt: Number.NEGATIVE_INFINITY }
    this.#known.set(workspaceId, known)
    if (performance.now() - known.readAt >= FRESH_MS) {
      known.reading ??= this.#read(tenant, known).finally(() => {
        delete known.reading
      })
      // An older answer does until the new one is there; a failure shows in the search itself.
      if (known.languages.length === 0) await known.reading
      else known.reading.catch(() => undefined)
    }
    return known.languages
  }

  async #read({ workspaceId, workspace }: Tenant, known: Known): Promise<void> {
    const tag = textLanguage.of(workspace)
    const setting = tag === null ? null : primaryTag(tag)
    const counts = await this.database.workspace(workspaceId, async tx => {
      const [found, [last]] = await Promise.all([
        this.engine.languages(tx, workspaceId),
        tx<{ language: string | null }[]>`
          select workspace_language.language
          from search.workspace_language
          where workspace_language.workspace_id = ${workspaceId}`,
      ])
      if ((last?.language ?? null) !== setting && isDue(known, setting)) {
        await this.jobs.enqueue(tx, [readingJob(workspaceId, setting)])
        known.queued = { setting, at: performance.now() }
      }
      return found
    })
    const ordered = [...counts]
      .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
      .map(([language]) => (language === UNDETERMINED ? FALLBACK : language))
    // The fallback stays last: what was indexed before languages were told apart was read as that.
    known.languages = [...new Set([...(setting ? [setting] : []), ...ordered, FALLBACK])].slice(0, LANGUAGES_MAX)
    known.readAt = performance.now()
  }
}

function isDue({ queued }: Known, setting: string | null): boolean {
  return queued?.setting !== setting || performance.now() - queued.at > QUEUED_AGAIN_MS
}
