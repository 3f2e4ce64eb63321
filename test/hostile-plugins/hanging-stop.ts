import { definePlugin } from 'mneme/plugin'

/** Never ends its stop. */
export default definePlugin({
  id: 'hanging',
  version: '1.0.0',
  apiVersion: 1,
  setup: () => ({ scope: null, stop: () => new Promise<void>(() => undefined) }),
})
