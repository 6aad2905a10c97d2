import { createRpcProxy } from '@svc/web/proxy'
import { serveFetch } from './fetch-host.ts'

/** The same without a session: the cost of passing a call on. */
const { GET } = createRpcProxy({
  routeMap: { me: { method: 'GET', path: '/_core/time' } },
  apiUrl: process.env.SVC_API_URL ?? '',
})

serveFetch(GET)
