import type { Flags } from '../flags.ts'
import { aligned, paint } from '../terminal.ts'
import { type Deployment, readDeployment } from './deployment.ts'
import { examine } from './examine.ts'
import type { Finding } from './finding.ts'
import { printFinding } from './print-finding.ts'

/** Reports what prevents a sign-in with a provider. The exit code is 1 if something does. */
export async function doctor(flags: Flags) {
  const deployment = readDeployment(flags)
  console.log(`${heading(deployment)}\n`)
  const findings: Finding[] = []
  for await (const finding of examine(deployment)) {
    printFinding(finding, { isExplained: findings.some(isAdvisedAs(finding)) })
    findings.push(finding)
  }
  if (findings.at(-1)?.mark === 'right') console.log()
  const faults = findings.filter(({ mark }) => mark === 'wrong').length
  console.log(summary(faults))
  return faults === 0 ? 0 : 1
}

/** Four providers may have the same fault. Its explanation is printed once. */
function isAdvisedAs(finding: Finding) {
  const advice = adviceOf(finding)
  return (other: Finding) => adviceOf(other) === advice
}

function adviceOf(finding: Finding) {
  return finding.mark === 'right' ? finding.title : `${finding.why}${finding.fix.join()}`
}

function heading({ app, api }: Deployment) {
  const rows = [
    ['web app', app.url.origin, `from ${app.from}`],
    ['API', api.url.href.replace(/\/$/, ''), `from ${api.from}`],
  ]
  const lines = aligned(rows).map((row) => `  ${row.join('   ')}`)
  return [paint('bold', 'Signing in with a provider'), ...lines].join('\n')
}

function summary(faults: number) {
  if (faults === 1) return 'One thing is wrong. Fix it, and run this again.'
  if (faults > 1) return `${faults} things are wrong. Fix the first one, and run this again.`
  return [
    'Nothing wrong was found.',
    'If a provider still refuses, check that the redirect URI registered there is exactly the one above.',
  ].join('\n')
}
