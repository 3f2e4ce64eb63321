import type { EventPublisher, FilePieces, PluginContext } from 'mneme/plugin'
import type { DocumentReader } from './parsing/reader.ts'
import type { ReadingPlaces } from './steps/reading-places.ts'
import type { WorkQueue } from './work.ts'

export const FEATURE = 'ingest'

type Kernel = 'database' | 'tenants' | 'jobs' | 'quarantine' | 'wiring' | 'outgoing' | 'log'

/** Routes, tasks and subscriptions are called with this. */
export interface IngestScope extends Pick<PluginContext<unknown>, Kernel> {
  readonly events: EventPublisher
  /** Jobs whose next step is done in the workspace's turn. */
  readonly work: WorkQueue
  /** Jobs whose page is to be fetched. */
  readonly fetches: WorkQueue
  readonly files: FilePieces
  /** The first that reads a format is asked first; the last reads all. */
  readonly readers: readonly DocumentReader[]
  readonly places: ReadingPlaces
  /** A step that stores the chunks of a document gives way to another after so long. */
  readonly readingMsMax: number
  /** One transaction of a replacement adds, and deletes, so many memories at the most. */
  readonly exchangedTogetherMax: number
}
