import {
  AppError,
  type Contribution,
  compileValidator,
  type ErrorDetail,
  fail,
  hasFeature,
  type Logger,
  type Tenant,
  type Wiring,
} from 'mneme/plugin'
import { failSecret } from '../contract/secrets.ts'
import { TimeLimitExceeded, withTimeLimit } from '../contract/time-limit.ts'
import {
  INTAKE_MS,
  INTAKE_MS_MAX,
  type IncomingMemory,
  type IntakeChange,
  type IntakeVerdict,
  type MemoryIntakeHook,
  memoryIntake,
  type SecretsMode,
  screen,
  secretsMode,
} from '../contract.ts'
import { normalizeCategories } from '../request/bodies.ts'
import { intakeChange } from '../schemas.ts'

type Hook = Contribution<MemoryIntakeHook>

/** A memory after the hooks, or the error it was refused with. */
export type Intake = { readonly memory: IncomingMemory } | { readonly refused: AppError }

interface IntakeParts {
  readonly wiring: Wiring
  readonly log: Logger
}

/** Runs the intake hooks of other plugins over memories before they are stored. Call it outside any transaction. */
export async function reviewIncoming(
  { wiring, log }: IntakeParts,
  tenant: Tenant,
  memories: readonly IncomingMemory[],
): Promise<Intake[]> {
  const intakes: Intake[] = memories.map(memory => ({ memory }))
  for (const hook of wiring.contributions(memoryIntake)) {
    if (!hasFeature(tenant.workspace, hook.feature)) continue
    const open = intakes.flatMap((intake, place) => ('memory' in intake ? [{ place, memory: intake.memory }] : []))
    if (open.length === 0) break
    const reviewed = await review(
      hook,
      tenant,
      open.map(({ memory }) => memory),
      log,
    )
    for (const [n, { place }] of open.entries()) {
      const intake = reviewed[n]
      if (intake) intakes[place] = intake
    }
  }
  return intakes
}

/** Reviews a single memory. @throws the error that a hook refuses it with */
export async function reviewOne(parts: IntakeParts, tenant: Tenant, memory: IncomingMemory): Promise<IncomingMemory> {
  const [intake] = await reviewIncoming(parts, tenant, [memory])
  if (intake && 'refused' in intake) throw intake.refused
  return intake?.memory ?? memory
}

/** Tells a hook's failure from a refusal: after a failure the same memory may be accepted later. */
export function isFailure({ status }: AppError): boolean {
  return status >= 500
}

/** Reviews all memories in one call; if that fails, one by one within the same time limit, so that one memory does not fail the others. */
async function review(hook: Hook, tenant: Tenant, memories: readonly IncomingMemory[], log: Logger): Promise<Intake[]> {
  const limitMs = Math.min(hook.value.timeLimitMs ?? INTAKE_MS, INTAKE_MS_MAX)
  const until = performance.now() + limitMs
  const ask = async (some: readonly IncomingMemory[]): Promise<Intake[]> => {
    const verdicts = await withTimeLimit(Math.max(1, until - performance.now()), signal =>
      hook.value.review(tenant, some, signal),
    )
    if (!Array.isArray(verdicts) || verdicts.length !== some.length)
      throw new Error(`it gave no verdict for each of ${some.length} memories`)
    return some.map((memory, n) => judged(memory, verdicts[n]))
  }
  try {
    return await ask(memories)
  } catch (error) {
    log.error({ err: error, plugin: hook.plugin, hook: hook.value.id }, 'an intake hook failed')
    const refused = unavailable(hook, error)
    // A call for all memories that timed out leaves no time for single ones.
    const isLate = error instanceof TimeLimitExceeded
    const intakes: Intake[] = []
    for (const memory of memories) {
      const asked = memories.length > 1 && !isLate && performance.now() < until
      const alone = asked ? await ask([memory]).catch(() => undefined) : undefined
      intakes.push(alone?.[0] ?? { refused })
    }
    return intakes
  }
}

/** @throws Error for a verdict that hooks may not give */
function judged(memory: IncomingMemory, verdict: IntakeVerdict): Intake {
  if (verdict === undefined) return { memory }
  if ('refuse' in verdict) {
    const { refuse } = verdict
    if (refuse instanceof AppError && (refuse.status === 400 || refuse.status === 422)) return { refused: refuse }
    throw new Error('it refused with something that is no AppError with the status 400 or 422')
  }
  return { memory: changed(memory, verdict.change) }
}

const change = compileValidator(intakeChange)

function changed(memory: IncomingMemory, { text, categories, metadata }: IntakeChange): IncomingMemory {
  const given = {
    ...(text === undefined ? {} : { text }),
    ...(categories === undefined ? {} : { categories }),
    ...(metadata === undefined ? {} : { metadata }),
  }
  const faults: ErrorDetail[] = change.faults(given)
  if (faults.length > 0) throw new Error(`its change cannot be stored: ${faults.map(({ path }) => path).join(', ')}`)
  return { ...memory, ...given, ...(categories ? { categories: normalizeCategories(categories) } : {}) }
}

/** Looks at every memory for secrets, whichever way it comes. */
export const secretsIntake: MemoryIntakeHook = {
  id: 'secrets',
  errors: ['SECRET_REFUSED'],
  timeLimitMs: INTAKE_MS_MAX,
  async review({ workspace }, memories, signal) {
    const mode = secretsMode.of(workspace)
    const verdicts: IntakeVerdict[] = []
    for (const memory of memories) {
      signal.throwIfAborted()
      verdicts.push(await lookForSecrets(mode, memory))
    }
    return verdicts
  },
}

async function lookForSecrets(mode: SecretsMode, memory: IncomingMemory): Promise<IntakeVerdict> {
  const { text, categories, metadata } = memory
  const given = { text, ...(categories ? { categories } : {}), ...(metadata ? { metadata } : {}) }
  try {
    const masked = await screen(mode, given)
    if (masked === given) return undefined
    return change.faults(masked).length === 0 ? { change: masked } : { refuse: failSecret('SECRET_REFUSED', TOO_LONG) }
  } catch (error) {
    if (error instanceof AppError) return { refuse: error }
    throw error
  }
}

const TOO_LONG = { message: 'With its secrets masked the memory is longer than a memory may be; leave them out.' }

function unavailable({ plugin }: Hook, cause: unknown): AppError {
  return fail('SERVICE_UNAVAILABLE', {
    message: `The plugin ${plugin} could not review the memory, so it was not stored; retry shortly.`,
    retryAfterSeconds: 2,
    cause,
  })
}
