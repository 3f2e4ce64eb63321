import { permissionCatalogue, Type } from 'mneme/plugin'
import { addressesOf, PATHS, resourceMetadata, serverMetadata } from '../addresses.ts'
import { RESOURCE_PATH } from '../contract.ts'
import { failureBody, json } from '../protocol.ts'
import { route } from '../route.ts'
import { scopesOf } from '../scope.ts'

const given = {
  method: 'GET',
  access: 'public',
  raw: true,
  ignoresUnknownQuery: true,
  failureBody,
  responses: { 200: Type.Unknown() },
} as const

export const serverMetadataRoute = route({
  ...given,
  path: PATHS.server,
  summary: 'What the authorization server does (RFC 8414)',
  handle: ({ request, scope }) =>
    json(
      200,
      serverMetadata(addressesOf(scope.administration, request), scopesOf(scope.wiring.use(permissionCatalogue))),
    ),
})

/** Clients look below the well-known path for that of the resource, and older ones at the path itself. */
export const resourceMetadataRoutes = [PATHS.resource, `${PATHS.resource}${RESOURCE_PATH}`].map(path =>
  route({
    ...given,
    path,
    summary: 'What access tokens are for (RFC 9728)',
    handle: ({ request, scope }) =>
      json(
        200,
        resourceMetadata(addressesOf(scope.administration, request), scopesOf(scope.wiring.use(permissionCatalogue))),
      ),
  }),
)
