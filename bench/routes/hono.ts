import { Hono } from 'hono'
import { five, serveHono } from './serve-hono.ts'
import type { NewUser } from './workload.ts'

const app = new Hono()
app.use(...five)
app.post('/users', async (c) => {
  const user = await c.req.json<NewUser>()
  return c.json({ id: user.id, ok: true })
})
app.get('/users/:id', (c) => c.json({ id: c.req.param('id'), ok: true }))
serveHono(app)
