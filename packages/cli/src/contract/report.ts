import { CommandFailure } from '../failure.ts'
import { breakingChanges } from './breaking-changes.ts'
import type { Bundle, Pair } from './bundle.ts'
import { nextBreaking, versionStep } from './version-step.ts'

interface Report {
  /** The changes that break clients, one line for each. */
  changes: string[]
  verdict: string
  fails: boolean
}

/** What to say and do about a contract, compared with the one in a file. */
export function reportOn(
  contracts: Pair<Bundle>,
  file: string,
  { several = false }: { several?: boolean } = {},
): Report {
  refuseAnother(contracts, file)
  const { contract, contractVersion: fresh } = contracts.now
  const old = contracts.before.contractVersion
  const changes = breakingChanges(contracts)
  // The compared file may be a copy of a released one.
  const commit = `npx @svc/cli contract${several ? ` --contract ${contract}` : ''} --out contract.json`
  const report = (verdict: string, fails = false) => ({ changes, verdict, fails })

  if (changes.length === 0) {
    return isSame(contracts)
      ? report(`${file} is the contract of the application: ${contract} ${fresh}.`)
      : report(
          `${contract} ${fresh} breaks no client of ${file}. Commit the new contract: ${commit}`,
        )
  }
  if (versionStep(old, fresh) === 'stepped') {
    return report(
      `Clients of ${old} break, and the new version ${fresh} says so. Commit the new contract: ${commit}`,
    )
  }
  const whatToDo = `Revert the change, or raise the version of the
contract in its router from ${old} to ${nextBreaking(old)} and commit it: ${commit}`
  return report(`Clients built from ${file} break. ${whatToDo}`, true)
}

function isSame({ before, now }: Pair<Bundle>) {
  return JSON.stringify(before) === JSON.stringify(now)
}

function refuseAnother({ before, now }: Pair<Bundle>, file: string) {
  if (before.contract !== now.contract) {
    throw new CommandFailure(
      `${file} is the contract "${before.contract}", but the application has "${now.contract}": give the right file with --against.`,
    )
  }
  const [old, fresh] = [before.contractVersion, now.contractVersion]
  if (versionStep(old, fresh) === 'back') {
    throw new CommandFailure(
      `${file} is ${old}, but the application has ${fresh}, which is older. Raise the version of the contract.`,
    )
  }
}
