import { type Answer, ask, textOf } from '../ask.ts'
import { atApi, atApp, type Deployment } from '../deployment.ts'
import { doubtful, type Finding, right, wrong } from '../finding.ts'

/** Whether there is a web app. Any answer is enough, except a failure of its own. */
export async function* webApp(deployment: Deployment): AsyncGenerator<Finding, boolean> {
  const { seen, status } = await ask(atApp(deployment, '/'))
  if (status !== null && status < 500) {
    yield right('The web app answers.')
    return true
  }
  yield wrong(status === null ? 'The web app does not answer.' : 'The web app fails.', {
    seen,
    why: 'Providers send the browser back to it.',
    fix: ['Start it, look at its log, or give its address with --app.'],
  })
  return status !== null
}

/**
 * Whether there is an API. It need not be reachable from here, as long as the web app reaches it.
 */
export async function* api(
  deployment: Deployment,
  isReachedByApp: boolean,
): AsyncGenerator<Finding> {
  const answer = await ask(atApi(deployment, '/_core/health'))
  const health = textOf(answer.json, 'status')
  if (answer.status === null) {
    yield isReachedByApp ? hidden(answer) : silent(answer)
  } else if (health === null) {
    yield wrong('Something else answers where the API should be.', {
      seen: answer.seen,
      why: 'Every API answers /_core/health with its status.',
      fix: [`Correct ${deployment.api.from}, or give the address of the API with --api.`],
    })
  } else if (answer.status === 200) {
    yield right('The API answers.')
  } else {
    yield wrong(`The API answers, but its status is ${health}.`, {
      seen: answer.seen,
      why: 'It is shutting down, or it cannot reach its database or its cache.',
      fix: ['Look at its log.'],
    })
  }
}

function hidden({ seen }: Answer) {
  return doubtful('The API does not answer from here.', {
    seen,
    why: 'The web app reaches it, which is enough to sign in with a browser.',
    fix: ['If it has a public address, give it with --api.'],
  })
}

function silent({ seen }: Answer) {
  return wrong('The API does not answer.', {
    seen,
    why: 'The API talks to the providers and has the accounts.',
    fix: ['Start it, look at its log, or give its address with --api.'],
  })
}
