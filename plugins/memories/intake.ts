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
import { TimeLimitExceeded, withTimeLimit } from './contract/time-limit.ts'
import {
  INTAKE_MS,
  INTAKE_MS_MAX,
  type IncomingMemory,
  type IntakeChange,
  type IntakeVerdict,
  type MemoryIntakeHook,
  memoryIntake,
} from './contract.ts'
import { tidyCategories } from './input.ts'
import { intakeChange } from './schemas.ts'

type Hook = Contribution<MemoryIntakeHook>

/** A memory as the hooks left it, or why it is not stored. */
export type Intake = { readonly memory: IncomingMemory } | { readonly refused: AppError }

interface IntakeParts {
  readonly wiring: Wiring
  readonly log: Logger
}

/** Lets the hooks of other plugins look at memories before they are stored. Outside of any transaction. */
export async function takeIn(
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

/** One memory as the hooks leave it. @throws the error that one of them refuses it with */
export async function takeOneIn(parts: IntakeParts, tenant: Tenant, memory: IncomingMemory): Promise<IncomingMemory> {
  const [intake] = await takeIn(parts, tenant, [memory])
  if (intake && 'refused' in intake) throw intake.refused
  return intake?.memory ?? memory
}

/** Whether a hook failed, rather than having refused: the same memory may be taken another time. */
export function isFailure({ status }: AppError): boolean {
  return status >= 500
}

/** All at once, and one by one within the same time when that fails, so that no memory spoils the others. */
async function review(hook: Hook, tenant: Tenant, memories: readonly IncomingMemory[], log: Logger): Promise<Intake[]> {
  const limitMs = Math.min(hook.value.timeLimitMs ?? INTAKE_MS, INTAKE_MS_MAX)
  const until = performance.now() + limitMs
  const ask = async (some: readonly IncomingMemory[]): Promise<Intake[]> => {
    const verdicts = await withTimeLimit(Math.max(1, until - performance.now()), async signal =>
      hook.value.review(tenant, some, signal),
    )
    if (!Array.isArray(verdicts) || verdicts.length !== some.length)
      throw new Error(`it gave no verdict for each of ${some.length} memories`)
    return some.map((memory, n) => judged(memory, verdicts[n]))
  }
  try {
    return await ask(memories)
  } catch (error) {
    log.error({ err: error, plugin: hook.plugin, hook: hook.value.id }, 'a hook before storing failed')
    const refused = unavailable(hook, error)
    // What took all of the time for many has none left for each of them.
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

/** @throws Error where the verdict is none that a hook may give */
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
  return { ...memory, ...given, ...(categories ? { categories: tidyCategories(categories) } : {}) }
}

function unavailable({ plugin }: Hook, cause: unknown): AppError {
  return fail('SERVICE_UNAVAILABLE', {
    message: `The plugin ${plugin} could not look at the memory, so it was not stored; retry shortly.`,
    retryAfterSeconds: 2,
    cause,
  })
}
