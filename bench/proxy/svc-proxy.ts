import { authInterceptors, createRpcProxy } from '@svc/web/proxy'
import { serveFetch } from './fetch-host.ts'

const { GET, POST } = createRpcProxy({
  routeMap: { me: { method: 'GET', path: '/me' } },
  apiUrl: process.env.SVC_API_URL ?? '',
  interceptors: [authInterceptors()],
})

serveFetch((request) => (request.method === 'GET' ? GET(request) : POST(request)))
