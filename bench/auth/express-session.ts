import connectPgSimple from 'connect-pg-simple'
import express from 'express'
import session from 'express-session'
import { Pool } from 'pg'
import { served } from '../harness/served.ts'

declare module 'express-session' {
  interface SessionData {
    userId: string
  }
}

const PgSession = connectPgSimple(session)
const app = express()
app.use(express.json())
app.use(
  session({
    store: new PgSession({
      pool: new Pool({ connectionString: process.env.DATABASE_URL }),
      createTableIfMissing: true,
    }),
    secret: 'wJ4xq7Lr0vT2nB8yKc5dFz1mGh6sPaEu9RiWoQtXbN3',
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 7 * 24 * 60 * 60 * 1000 },
  }),
)
app.post('/login', (request, response) => {
  request.session.userId = request.body.userId
  response.json({})
})
app.get('/me', (request, response) => {
  const { userId } = request.session
  if (userId === undefined) response.status(401).json({ error: 'nobody' })
  else response.json({ userId })
})

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') served(`http://127.0.0.1:${address.port}`)
})
