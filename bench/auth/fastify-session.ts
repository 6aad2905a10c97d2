import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import { compare } from 'bcrypt'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { served } from '../harness/served.ts'

const pool = new Pool({ connectionString: process.env.DATABASE_URL })
await pool.query(`
  create table accounts (user_id text primary key, email text not null unique, password_hash text not null);
  create table sessions (id text primary key, user_id text not null, expires_at timestamptz not null)`)

const readSession = {
  name: 'session',
  text: 'select user_id from sessions where id = $1 and expires_at > now()',
}

const app = Fastify({ logger: false })
await app.register(cookie)

app.get('/me', async (request, reply) => {
  const { rows } = await pool.query({ ...readSession, values: [request.cookies.session ?? ''] })
  return rows[0] ? { userId: rows[0].user_id } : reply.code(401).send({ error: 'nobody' })
})

// bcrypt hashes in libuv's pool of four threads, and takes every password at once.
app.post<{ Body: { email: string; password: string } }>('/login', async (request, reply) => {
  const { email, password } = request.body
  const { rows } = await pool.query('select * from accounts where email = $1', [email])
  if (!rows[0] || !(await compare(password, rows[0].password_hash))) {
    return reply.code(401).send({ error: 'nobody' })
  }
  const id = randomBytes(32).toString('base64url')
  const write = `insert into sessions values ($1, $2, now() + interval '7 days')`
  await pool.query(write, [id, rows[0].user_id])
  return reply.setCookie('session', id, { httpOnly: true }).send({})
})

served(await app.listen({ host: '127.0.0.1', port: 0 }))
