import { download } from 'mneme/plugin'
import { failExport } from '../errors.ts'
import { findExport } from '../queries/exports.ts'
import { piecePlaces, readPiece } from '../queries/pieces.ts'
import { exportRow, READ, route } from '../route.ts'
import { exportParams } from '../schemas.ts'
import { CONTENT_TYPES, writerOf } from '../writing/writers.ts'

export const downloadExportRoute = route({
  method: 'GET',
  path: '/v1/exports/:id/download',
  operationId: 'downloadExport',
  access: READ,
  subject: { rows: [exportRow] },
  beyondQuota: true,
  summary: 'Download an export',
  description: 'The file, with `ETag` and `Range`, so that an interrupted download can be resumed.',
  params: exportParams,
  responses: { 200: null },
  contentType: CONTENT_TYPES,
  examples: { response: '{"manifest": {"format": "mneme-archive", "version": 1}, "memories": []}' },
  download: true,
  errors: ['EXPORT_NOT_FOUND', 'EXPORT_NOT_READY', 'EXPORT_EXPIRED'],
  async handle({ params, tenant: { workspaceId, transaction } }) {
    const found = await transaction(tx => findExport(tx, workspaceId, params.id))
    if (!found) throw failExport('EXPORT_NOT_FOUND')
    if (found.status === 'FAILED') {
      throw failExport('EXPORT_EXPIRED', { message: 'This export failed and has no file; make a new export.' })
    }
    const { status, size, sha256, expiresAt } = found
    if (status !== 'COMPLETED' || size === null || sha256 === null) throw failExport('EXPORT_NOT_READY')
    if (!expiresAt || expiresAt <= new Date()) throw failExport('EXPORT_EXPIRED')
    const { contentType, extension } = writerOf(found.format)
    return download({
      contentType,
      filename: `mneme-export-${found.createdAt.toISOString().slice(0, 10)}.${extension}`,
      size,
      etag: sha256,
      lastModified: found.updatedAt,
      // A short transaction a piece: none is held open while a slow client takes its time.
      async *open({ start, end, signal }) {
        const places = await transaction(tx => piecePlaces(tx, workspaceId, found))
        let at = 0
        for (const place of places) {
          const from = at
          at += place.size
          if (at <= start || from >= end) continue
          signal.throwIfAborted()
          const bytes = await transaction(tx => readPiece(tx, workspaceId, found, place.number))
          if (!bytes) throw failExport('EXPORT_NOT_READY')
          yield bytes.subarray(Math.max(0, start - from), end - from)
        }
      },
    })
  },
})
