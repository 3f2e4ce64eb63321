import { afterAll, setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'
import { closeAll } from './closing.ts'

// Booting a service inside a first test or hook takes seconds; a busy machine needs many times what a quick one does.
setDefaultTimeout(180_000)

// One change gives one result: the same cases are generated each time, others for another seed.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_901) })

afterAll(closeAll)
