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
      why: 'The first one counts, in every process that has both. One that has the second alone sends people elsewhere.',
      fix: ['Leave SVC_APP_URL out, or set both to where browsers find the web app.'],
    })
  }
  if (app.url.origin !== app.url.href.replace(/\/$/, '')) {
    yield doubtful(`${app.from} has a path.`, {
      seen: `It is ${app.url.origin}${app.url.pathname}.`,
      why: 'Providers send the browser back to a path of their own, right below the host.',
      fix: [`It should be ${app.url.origin}, which is what was looked at.`],
    })
  }
}
