import type { Application } from './application.ts'
import { doors } from './doors.ts'
import { letAgentsIn } from './flow-agents.ts'
import { enter } from './flow-entering.ts'
import { proveFactors } from './flow-factors.ts'
import { leave } from './flow-leaving.ts'
import { signInElsewhere } from './flow-openid.ts'
import { comeFromProviders, hunted } from './flow-providers.ts'
import { giveSupport } from './flow-support.ts'
import { misuse } from './misuse.ts'
import { secretsOf, secretsOfKey, secretsOfMail } from './secrets-of.ts'
import { newVictim } from './victim.ts'
import { tapWire } from './wire.ts'

/** Every flow that gives something secret out, spent and left; then all of it in the wrong places. */
export async function runScenario(app: Application) {
  const wire = tapWire()
  try {
    const provider = hunted()
    await enter(app)
    await proveFactors(app)
    await comeFromProviders(app, provider)
    await letAgentsIn(app)
    await signInElsewhere(app)
    await giveSupport(app)
    await leave(app)
    const victim = await newVictim(app, provider)
    const live: Record<string, string> = {}
    for (const [name, { make }] of Object.entries(doors)) live[name] = await make(app, victim)
    const told = secretsOf(wire.exchanges)
    const others = [...provider.secrets, ...Object.values(live), ...app.secretVariables]
    for (const secret of others) told.secrets.add(secret)
    for (const text of app.mail.taken) {
      for (const secret of secretsOfMail(text)) told.secrets.add(secret)
    }
    for (const key of wire.keys) {
      for (const secret of await secretsOfKey(key)) told.secrets.add(secret)
    }
    const exchanges = [...wire.exchanges]
    const refusals = await misuse(app, exchanges)
    return { ...told, live, victim, exchanges, refusals }
  } finally {
    wire.untap()
  }
}

export type Scenario = Awaited<ReturnType<typeof runScenario>>
