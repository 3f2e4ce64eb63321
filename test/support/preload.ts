import { afterAll, setDefaultTimeout } from 'bun:test'
import { closeAll } from './closing.ts'

// Booting a service inside a first test or hook takes seconds on a busy machine.
setDefaultTimeout(60_000)

afterAll(closeAll)
