import { definePlugin } from 'mneme/plugin'

/** Fails when it is set up, also on the very first start. */
export default definePlugin({
  id: 'broken',
  version: '1.0.0',
  apiVersion: 1,
  setup() {
    throw new Error('the moon is down')
  },
})
