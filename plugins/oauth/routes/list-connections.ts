import { actorNames, envelope, isAtLeast, ok, pageOf, pageQuery, Type, windowOf } from 'mneme/plugin'
import { hostOf } from '../clients.ts'
import { listConnections } from '../queries/connections.ts'
import { route } from '../route.ts'

const orNull = (description: string, format = {}) => Type.Union([Type.String(format), Type.Null()], { description })

const connection = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: "The connection's id." }),
    client_name: Type.String({ description: 'As the application calls itself.' }),
    redirect_host: Type.String({ description: 'Where it had the answer sent.' }),
    permissions: Type.Array(Type.String(), {
      description: 'The application may do this, as far as the role of the account allows it today.',
    }),
    user_id: orNull("It reads and writes only this user's; null: everything of the workspace."),
    account: orNull('The e-mail address of the account that let it in; null where that is gone.'),
    created_at: Type.String({ format: 'date-time', description: 'When it was let in.' }),
    last_used_at: orNull('When it last got an access token; it gets one each hour.', { format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it ends unless it is used before.' }),
  },
  { title: 'Connection' },
)

const NOW = '2026-03-01T09:30:00.000Z'

export const listConnectionsRoute = route({
  method: 'GET',
  path: '/v1/connections',
  operationId: 'listConnections',
  access: 'person',
  beyondQuota: true,
  summary: 'List connected applications',
  description:
    'Those that the signed-in account has let into the workspace, newest first; an admin of the workspace sees those of everybody.',
  query: pageQuery,
  responses: { 200: pageOf(connection) },
  examples: {
    response: {
      data: [
        {
          id: '0198c1a0-3f5e-7cc2-9d0e-5a1b2c3d4e5f',
          client_name: 'Claude',
          redirect_host: 'claude.ai',
          permissions: ['memory.read', 'memory.write'],
          user_id: null,
          account: 'ada@example.com',
          created_at: NOW,
          last_used_at: NOW,
          expires_at: '2026-03-31T09:30:00.000Z',
        },
      ],
      total: 1,
      page: 1,
      page_size: 20,
    },
  },
  async handle({ query, caller, tenant, scope }) {
    const only = isAtLeast(caller.role ?? 'viewer', 'admin') ? undefined : caller.accountId
    const { connections, total } = await tenant.transaction(tx =>
      listConnections(tx, tenant.workspaceId, windowOf(query), only),
    )
    const names = await scope.wiring.use(actorNames).of(connections.map(({ accountId }) => `session:${accountId}`))
    const data = connections.map(item => ({
      id: item.id,
      client_name: item.clientName,
      redirect_host: hostOf(item.redirectUri),
      permissions: [...item.permissions],
      user_id: item.userId,
      account: names.get(`session:${item.accountId}`) ?? null,
      created_at: item.createdAt.toISOString(),
      last_used_at: item.rotatedAt?.toISOString() ?? null,
      expires_at: item.expiresAt.toISOString(),
    }))
    return ok(envelope(query, data, total))
  },
})
