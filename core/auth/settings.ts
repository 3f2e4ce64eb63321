import type { WorkspaceSettings } from './caller.ts'

/** Settings as they are stored and answered: every key is there, null stands for "not set". */
export type SettingsDocument = {
  targets: { memories: number | null; requests: number | null; search_quality: number | null }
  consolidation: boolean
  task_ttl_days: number | null
  language: string | null
  daily_model_tokens: number | null
  retention_days: number | null
}

/** A change of settings: keys left out stay, null goes back to the default. */
export type SettingsPatch = {
  [K in keyof Omit<SettingsDocument, 'targets'>]?: SettingsDocument[K] | undefined
} & { targets?: Partial<SettingsDocument['targets']> | undefined }

/** Completes what is stored. Reads tolerantly: a value of a wrong type counts as not set, so that no workspace is locked out. */
export function readSettings(stored: unknown): SettingsDocument {
  const settings = record(stored)
  const targets = record(settings.targets)
  return {
    targets: {
      memories: number(targets.memories),
      requests: number(targets.requests),
      search_quality: number(targets.search_quality),
    },
    consolidation: settings.consolidation !== false,
    task_ttl_days: number(settings.task_ttl_days),
    language: typeof settings.language === 'string' ? settings.language : null,
    daily_model_tokens: number(settings.daily_model_tokens),
    retention_days: number(settings.retention_days),
  }
}

/** The settings after a change; `targets` merge key by key too. */
export function mergeSettings(current: SettingsDocument, patch: SettingsPatch): SettingsDocument {
  const { targets, ...rest } = patch
  return { ...current, ...given(rest), targets: { ...current.targets, ...given(targets ?? {}) } }
}

/** As plugins read them. */
export function toWorkspaceSettings(document: SettingsDocument): WorkspaceSettings {
  const { memories, requests, search_quality } = document.targets
  return {
    ...document,
    targets: {
      ...(memories === null ? {} : { memories }),
      ...(requests === null ? {} : { requests }),
      ...(search_quality === null ? {} : { search_quality }),
    },
  }
}

/** Without the keys whose value is undefined, so that spreading it overrides nothing by accident. */
function given<T extends object>(patch: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
