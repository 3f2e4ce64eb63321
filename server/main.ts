import { endOnSignals } from './early-signals.ts'

// Nothing else is imported here: what a module imports is loaded before it runs.
endOnSignals()
await import('./start.ts')
