import { type Answer, ask } from '../ask.ts'
import { atApp, type Deployment } from '../deployment.ts'
import { type Finding, right, wrong } from '../finding.ts'

interface Page {
  what: string
  variable: string
  holds: string
}

const afterSuccess: Page = {
  what: 'after a sign-in',
  variable: 'SVC_AUTH_OAUTH_SUCCESS_URL',
  holds: 'It has <OAuthCallback> of @svc/web/react, which finishes the sign-in.',
}
const afterFailure: Page = {
  what: 'after a failure',
  variable: 'SVC_AUTH_OAUTH_ERROR_URL',
  holds: 'It says what went wrong.',
}

/** Whether the pages exist that the callback leads to, and can be read without a session. */
export async function* pages(
  deployment: Deployment,
  errorPage: URL | null,
): AsyncGenerator<Finding> {
  const success = atApp(deployment, deployment.variables.SVC_AUTH_OAUTH_SUCCESS_URL)
  yield await look(afterSuccess, success)
  if (errorPage) yield await look(afterFailure, errorPage)
}

async function look(page: Page, url: URL): Promise<Finding> {
  const answer = await ask(url, { headers: { accept: 'text/html' } })
  return answer.status === 200
    ? right(`The page ${page.what} is there: ${url.pathname}`)
    : notThere(page, answer)
}

function notThere({ what, variable, holds }: Page, { seen, location }: Answer) {
  return wrong(`The page ${what} is not there.`, {
    seen,
    why: `The callback leads to it. ${holds}`,
    fix: location
      ? [
          'Remove the sign-in guard from this page: the user is not signed in yet when they reach it.',
        ]
      : [
          'Create this page.',
          `If it has another address, set ${variable} for the API and for this command.`,
        ],
  })
}
