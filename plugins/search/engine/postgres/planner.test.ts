import { expect, test } from 'bun:test'
import type { Tx } from 'mneme/plugin'
import { idleService } from '../../../../test/support/service.ts'
import { withGenericPlans, withUsualPlans } from './planner.ts'

async function plansOf(tx: Tx): Promise<string[]> {
  const [row] = await tx<{ mode: string; scans: string }[]>`
    select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as scans`
  return row ? [row.mode, row.scans] : []
}

const GENERIC = ['force_generic_plan', 'off']
const USUAL = ['auto', 'on']

test('plans are generic during the work, and usual for what is called in its midst and afterwards', async () => {
  const { database } = await idleService()
  const met = await database.system(async tx => {
    // across workspaces: reads settings of the transaction alone
    const within = await withGenericPlans(tx, async () => [
      await plansOf(tx),
      await withUsualPlans(tx, () => plansOf(tx)),
      await plansOf(tx),
    ])
    return [...within, await plansOf(tx), await withUsualPlans(tx, () => plansOf(tx))]
  })
  expect(met).toEqual([GENERIC, USUAL, GENERIC, USUAL, USUAL])
})

test('plans stay usual when the generic work fails while other work still runs', async () => {
  const { database } = await idleService()
  const after = await database.system(async tx => {
    const { promise: failed, resolve: goOn } = Promise.withResolvers<void>()
    let other: Promise<void> | undefined
    const work = withGenericPlans(tx, async () => {
      other = withUsualPlans(tx, () => failed)
      throw new Error('broken')
    })
    await expect(work).rejects.toThrow('broken')
    goOn()
    await other
    return plansOf(tx)
  })
  expect(after).toEqual(USUAL)
})
