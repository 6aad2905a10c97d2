import { relations, sql } from 'drizzle-orm'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { afterAll, expect, it } from 'vitest'
import { route } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'
import { createTestDatabase } from '../testing.ts'
import type { Db } from './transaction.ts'

const shelves = pgTable('shelves', { id: uuid().primaryKey(), name: text().notNull() })
const books = pgTable('books', {
  id: uuid().primaryKey(),
  shelfId: uuid('shelf_id').notNull(),
  title: text().notNull(),
})
const schema = {
  shelves,
  books,
  shelfRelations: relations(shelves, ({ many }) => ({ books: many(books) })),
  bookRelations: relations(books, ({ one }) => ({
    shelf: one(shelves, { fields: [books.shelfId], references: [shelves.id] }),
  })),
}

/** The names of tables are the application's, and this package has none: see the type test of the starter. */
interface Queries {
  shelves: {
    findMany(options: {
      columns: { name: true }
      with: { books: { columns: { title: true } } }
    }): Promise<unknown[]>
  }
}
const shelvesOf = (db: Db) =>
  (db.query as unknown as Queries).shelves.findMany({
    columns: { name: true },
    with: { books: { columns: { title: true } } },
  })

const router = defineRouter({
  plain: route.get('/plain').handler((c) => shelvesOf(c.db)),
  inTransaction: route.get('/in-transaction').handler((c) =>
    c.db.transaction(async (tx) => {
      await tx.insert(shelves).values({ id: shelfId, name: 'Poems' })
      await tx.insert(books).values({ id: bookId, shelfId, title: 'Howl' })
      const found = await tx.transaction(shelvesOf)
      await tx.delete(books)
      await tx.delete(shelves)
      return found
    }),
  ),
})
const [shelfId, bookId] = [crypto.randomUUID(), crypto.randomUUID()]

const server = await startTestServer(defineServer().routes(router).database({ schema }), {
  database: true,
})
afterAll(server.stop)
const { db } = server.infrastructure.database ?? {}
await db?.execute(sql`create table shelves (id uuid primary key, name text not null)`)
await db?.execute(sql`create table books (id uuid primary key, shelf_id uuid, title text not null)`)

it('c.db.query knows the tables and relations of the application’s schema', async () => {
  await db?.insert(shelves).values({ id: shelfId, name: 'Novels' })
  await db?.insert(books).values({ id: bookId, shelfId, title: 'Emma' })
  expect(await (await server.fetch('/plain')).json()).toEqual([
    { name: 'Novels', books: [{ title: 'Emma' }] },
  ])
  await db?.delete(books)
  await db?.delete(shelves)
})

it('a transaction and its savepoints know them too, and see what they have written', async () => {
  expect(await (await server.fetch('/in-transaction')).json()).toEqual([
    { name: 'Poems', books: [{ title: 'Howl' }] },
  ])
})

it('another application in this process may have a table of the same name', async () => {
  const [one, other] = [await createTestDatabase(), await createTestDatabase()]
  const things = pgTable('things', { id: text().primaryKey() })
  const otherThings = pgTable('things', { id: text().primaryKey(), state: text() })
  for (const { db: each } of [one, other]) {
    await each.execute(sql`create table things (id text primary key, state text)`)
  }
  expect(
    await one.db.select({ id: things.id }).from(things).where(sql`${things.id} = 'a'`),
  ).toEqual([])
  const of = other.db.select().from(otherThings)
  expect(await of.where(sql`${otherThings.state} = 'new'`)).toEqual([])
  const inTransaction = other.db.transaction((tx) =>
    tx.select().from(otherThings).where(sql`${otherThings.state} = 'new'`),
  )
  expect(await inTransaction).toEqual([])
  await Promise.all([one.drop(), other.drop()])
})
