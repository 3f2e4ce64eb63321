import type { Tenant, Workspace } from '../../core/auth/caller.ts'
import type { TestAccount } from '../kit/accounts.ts'
import type { Client } from './client.ts'
import type { TestService } from './service.ts'

/** A workspace of its own, and the tenant for what a test runs itself, as a step or a task. */
export interface TenantByHand {
  readonly account: TestAccount
  readonly client: Client
  readonly workspaceId: string
  readonly workspace: Workspace
  readonly tenant: Tenant
}

/** @param plan what the workspace's plan has: no features and no limits where nothing is said */
export async function tenantByHand(
  service: Pick<TestService, 'account' | 'database'>,
  { features = [], quotas = {} }: { features?: readonly string[]; quotas?: Workspace['quotas'] } = {},
): Promise<TenantByHand> {
  const account = await service.account()
  const { client, workspaceId, accountId } = account
  const workspace: Workspace = {
    id: workspaceId,
    accountId,
    name: 'By hand',
    twinOf: null,
    plan: 'unlimited',
    accountPlan: 'unlimited',
    features: new Set(features),
    quotas,
    settings: {},
  }
  const tenant: Tenant = {
    workspaceId,
    workspace,
    transaction: (work, options) => service.database.workspace(workspaceId, work, options),
  }
  return { account, client, workspaceId, workspace, tenant }
}

/** The tenant with a call of `before` ahead of each transaction, with its number from 1. */
export function watchedTenant(tenant: Tenant, before: (transaction: number) => Promise<unknown>): Tenant {
  let transactions = 0
  return {
    ...tenant,
    async transaction(work, options) {
      await before(++transactions)
      return tenant.transaction(work, options)
    },
  }
}
