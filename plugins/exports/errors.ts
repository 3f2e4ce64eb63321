import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const exportErrors = {
  EXPORT_NOT_FOUND: { status: 404, message: 'The workspace has no export with this id.' },
  EXPORT_NOT_READY: { status: 409, message: 'The export is not written yet; look at its status and try again.' },
  EXPORT_EXPIRED: { status: 410, message: 'The file of this export is no longer kept; make a new export.' },
  IMPORT_NOT_FOUND: { status: 404, message: 'The workspace has no import with this id.' },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failExport = failWith(exportErrors)
