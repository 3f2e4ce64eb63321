/** Reads the lists of names and ends, so that what their packages take of memory goes with the thread. */
import { parentPort } from 'node:worker_threads'
import { readLists } from './read-lists.ts'

parentPort?.postMessage(await readLists())
