import { type Bridge, refused } from '../bridge.ts'
import { graphRows } from './graph-rows.ts'
import { userRows } from './user-rows.ts'

const every = (...paths: string[]) =>
  paths.flatMap(path => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(method => `${method} ${path}`))

/** Zep. */
export const zep: Bridge = {
  id: 'zep',
  failureBody: ({ message, error_code }) => ({ message, error_code }),
  unread: [],
  rows: [
    ...userRows,
    ...graphRows,
    refused(
      ['GET /threads/:id/messages', 'GET /threads/:id/episodes', 'GET /threads/:id/summary', 'PATCH /messages/:id'],
      '`thread.get`, `thread.getEpisodes`, `thread.getSummary`',
      'Mneme keeps what is worth keeping of messages, not the messages: list the memories of the session.',
    ),
    refused(
      ['POST /graph/add-fact-triple', 'POST /graph/nodes', ...every('/graph/edge/:id', '/graph/edge/user/:id')],
      '`graph.addFactTriple`, `graph.addNodes`, `graph.edge`',
      'Edges follow from memories here: add a sentence with `graph.add`, and read the edges of a node.',
    ),
    refused(
      [
        ...every('/graph/:id', '/graph/:kind/graph/:id', '/graph/node/:id/:part'),
        'PATCH /graph/node/:id',
        'DELETE /graph/node/:id',
      ],
      'graphs without a user, and changes of nodes',
      'Graphs belong to users here, and follow from their memories.',
    ),
    refused(
      every(
        '/context-templates',
        '/context-templates/:id',
        '/entity-types',
        '/custom-instructions',
        '/user-summary-instructions',
      ),
      'templates, ontologies, instructions',
      'What is kept of a conversation is a setting of the workspace, `conversation_instructions`.',
    ),
    refused(
      ['GET /users-ordered', 'GET /users/:id/threads', 'GET /users/:id/warm', 'GET /threads'],
      '`user.listOrdered`, `user.getThreads`, `user.warm`, `thread.listAll`',
      'Mneme lists users with `GET /v1/users`, and keeps no list of threads.',
    ),
    refused('GET /users/:id/node', '`user.getNode`', 'Find the person with `graph.search` and the scope `nodes`.'),
  ],
}
