import type { Deployment } from '../deployment.ts'
import { doubtful, type Finding } from '../finding.ts'

/** Variables that are set here and contradict each other. */
export function* contradictions({ app, variables }: Deployment): Generator<Finding> {
  const { NEXT_PUBLIC_SVC_APP_URL: first, SVC_APP_URL: second } = variables
  // Only their origins: an address may contain a password.
  const [one, other] = [first, second].map((address) => address && new URL(address).origin)
  if (one && other && one !== other) {
    yield doubtful('NEXT_PUBLIC_SVC_APP_URL and SVC_APP_URL differ.', {
      seen: `They are ${one} and ${other}.`,
      why: 'A process that has both uses NEXT_PUBLIC_SVC_APP_URL. A process that has only SVC_APP_URL sends people to another address.',
      fix: ['Unset SVC_APP_URL, or set both to the address that browsers use for the web app.'],
    })
  }
  if (app.url.origin !== app.url.href.replace(/\/$/, '')) {
    yield doubtful(`${app.from} has a path.`, {
      seen: `It is ${app.url.origin}${app.url.pathname}.`,
      why: 'Providers send the browser back to a path of its own, directly below the host.',
      fix: [`Set it to ${app.url.origin}, which is the address that was checked.`],
    })
  }
}
