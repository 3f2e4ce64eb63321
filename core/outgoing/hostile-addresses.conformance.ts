import { afterEach, beforeAll, describe, test } from 'bun:test'
import { hostileCases, type Subject } from './hostile-addresses.test-support.ts'
import { type Internet, openInternet } from './internet.test-support.ts'

/**
 * Everything that requests users' URLs has to pass this suite.
 * @param open makes the subject, once for all tests: it is to resolve names and to connect by the `network` of what it
 * is given
 */
export function refusesHostileAddresses(
  name: string,
  followsRedirects: boolean,
  open: (internet: Internet) => Promise<Subject> | Subject,
): void {
  describe(`${name} and hostile addresses`, () => {
    const internet = openInternet()
    let subject: Subject
    beforeAll(async () => {
      subject = await open(internet)
    })
    afterEach(() => internet.reset())
    for (const { name: title, run } of hostileCases(followsRedirects)) test(title, () => run(subject, internet))
  })
}
