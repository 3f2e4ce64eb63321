import type { NewJob } from 'mneme/plugin'
import type { MemoryRecord } from '../contract.ts'
import type { BatchProcessingJob, ProcessingJob } from '../scope.ts'
import { BATCH_MAX, passSize } from './pass-size.ts'
import { lengthClass, priorityClass } from './priority.ts'

/** So many batches of a workspace are processed at once, over all processes: enough to keep a model of each busy. */
const BATCHES_MAX = 4
/** Its long texts and batches together take so many places, which leaves some of each process to the long texts of others. */
const LONG_MAX = 8

type Queued = Pick<MemoryRecord, 'workspaceId' | 'id' | 'revision' | 'text' | 'source'>

/** A memory with its position among those stored together. */
interface Placed {
  readonly memory: Queued
  readonly place: number
}

/**
 * Builds the processing job of a memory. Its key keeps one waiting job per memory; adding another replaces it, because only the newest
 * revision counts.
 *
 * @param place the memory's position among those stored together
 */
export function processingJob(memory: Queued, place = 0): NewJob {
  const job = singleJob({ workspace_id: memory.workspaceId, ...versionOf(memory) })
  return { ...job, priority: priorityOf(memory, place) }
}

/** Builds the job of one memory. */
export function singleJob(payload: ProcessingJob): NewJob {
  const { workspace_id, memory_id, characters = 0 } = payload
  const priority = lengthClass(characters)
  const job = { task: 'memories:process', key: `memories:process:${memory_id}`, payload: { ...payload }, priority }
  return priority > 0 ? { ...job, limit: limitOf(workspace_id, LONG_MAX) } : job
}

/**
 * Builds the jobs of memories of one workspace that are stored together: one for each pass of ordinary ones, and one for each long text.
 *
 * @param placeOffset the first memory's position among those stored together
 */
export function processingJobs(memories: readonly Queued[], placeOffset = 0): NewJob[] {
  const placed = memories.map((memory, index) => ({ memory, place: placeOffset + index }))
  const isLong = ({ memory }: Placed) => lengthClass(memory.text.length) > 0
  const jobs = placed.filter(isLong).map(({ memory, place }) => processingJob(memory, place))
  const ordinary = placed.filter(one => !isLong(one))
  for (let start = 0; start < ordinary.length; ) {
    const pass = ordinary.slice(start, start + passSize(ordinary.slice(start).map(({ memory }) => versionOf(memory))))
    jobs.push(...jobsOf(pass))
    start += pass.length
  }
  return jobs
}

function jobsOf(pass: readonly Placed[]): NewJob[] {
  const [first, ...others] = pass
  if (!first) return []
  const { memory, place } = first
  const memories = pass.map(one => one.memory)
  return [others.length === 0 ? processingJob(memory, place) : batchJob(memory.workspaceId, memories, place)]
}

/** Has no key: a memory that changed since has a job of its own, and the batch leaves it out. */
function batchJob(workspaceId: string, memories: readonly Queued[], place: number): NewJob {
  const payload: BatchProcessingJob = { workspace_id: workspaceId, memories: memories.map(versionOf) }
  return {
    task: 'memories:process-batch',
    payload: { ...payload },
    priority: Math.max(...memories.map(memory => priorityOf(memory, place))),
    limit: limitOf(workspaceId, BATCHES_MAX),
  }
}

/** Batches and long texts of a workspace stand in one line. */
function limitOf(workspaceId: string, max: number) {
  return { key: `memories:process:${workspaceId}`, max }
}

function priorityOf({ text, source }: Queued, place: number): number {
  // Documents come in by the thousand, so a memory that somebody writes goes before them.
  const isBulk = source === 'INGEST' || source === 'IMPORT'
  return priorityClass(text, isBulk ? BATCH_MAX : place)
}

function versionOf({ id, revision, text }: Queued): Omit<ProcessingJob, 'workspace_id'> {
  return { memory_id: id, revision, characters: text.length }
}
