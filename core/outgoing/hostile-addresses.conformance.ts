import { afterEach, beforeEach, describe, test } from 'bun:test'
import { hostileCases, type Subject } from './hostile-addresses.test-support.ts'
import { type Internet, openInternet } from './internet.test-support.ts'

/**
 * The suite that everything which requests users' URLs has to pass.
 *
 * @param open makes the subject for a test, on names and addresses of the test's own: it is to resolve and connect by `network`
 */
export function refusesHostileAddresses(
  name: string,
  followsRedirects: boolean,
  open: (internet: Internet) => Promise<Subject> | Subject,
): void {
  describe(`${name} and hostile addresses`, () => {
    let internet: Internet
    beforeEach(() => {
      internet = openInternet()
    })
    afterEach(() => internet.close())
    for (const { name: title, run } of hostileCases(followsRedirects)) {
      test(title, async () => run(await open(internet), internet))
    }
  })
}
