import { serveFetch } from './fetch-host.ts'

/**
 * A handler that only calls the API and passes its answer on: the cost of the host and the
 * platform's fetch.
 */
const api = process.env.SVC_API_URL ?? ''

serveFetch(async ({ headers }) => {
  const answer = await fetch(`${api}/_core/time`, {
    headers: { 'user-agent': headers.get('user-agent') ?? '' },
  })
  return new Response(answer.body, { status: answer.status, headers: answer.headers })
})
