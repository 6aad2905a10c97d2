import { allow, getUserId } from '../../packages/auth/src/server.ts'
import { type Db, NotFoundError, route, t } from '../../packages/core/src/index.ts'

interface Queries {
  query(text: string): Promise<{ rows: object[] }>
}

/** The statements of a file of SQL on a page. They are apart by an empty line. */
export function statementsIn(page: string, name: string) {
  const escaped = name.replaceAll('.', '\\.')
  const fence = new RegExp(`^\`\`\`sql\\n-- file: ${escaped}\\n(.*?);\\n\`\`\`$`, 'ms')
  const [, file] = fence.exec(page) ?? []
  if (file === undefined) throw new Error(`${name} is not on the page.`)
  return file.split(';\n\n')
}

const params = t.Object({ company: t.String() })

async function refuseStranger(db: Db, company: number, userId: string) {
  const membership = `company_id = ${company} and user_id = '${userId}'`
  const { rowCount } = await db.execute(`select from company_members where ${membership}`)
  if (rowCount !== 1) throw new NotFoundError({ resource: 'Company' })
}

/** The release that runs before the recipe begins. */
export const todayRoutes = {
  listCompanyInvoices: allow.bearer(
    route
      .get('/companies/:company/invoices')
      .input({ params })
      .errors(NotFoundError)
      .handler(async (c) => {
        const company = Number((await c.data()).params.company)
        await refuseStranger(c.db, company, getUserId(c))
        const wanted = `select id, cents from invoices where company_id = ${company}`
        const { rows } = await c.db.execute(wanted)
        return { invoices: rows }
      }),
  ),
  addCompanyInvoice: allow.bearer(
    route
      .post('/companies/:company/invoices')
      .input({ params, body: t.Object({ cents: t.Integer(), text: t.String() }) })
      .errors(NotFoundError)
      .answer(t.Undefined(), 204)
      .handler(async (c) => {
        const { params: of, body } = await c.data()
        const company = Number(of.company)
        await refuseStranger(c.db, company, getUserId(c))
        await c.db.transaction(async (tx) => {
          const invoice = `insert into invoices (company_id, cents) values (${company}, ${body.cents})`
          const { rows } = await tx.execute<{ id: string }>(`${invoice} returning id`)
          const line = `(${rows[0]?.id}, '${company}')`
          await tx.execute(`insert into invoice_lines (invoice_id, text) values ${line}`)
        })
        return c.noContent()
      }),
  ),
}

/** What PostgreSQL knows of the two tables, but not in which order their columns were added. */
export async function catalogOf(database: Queries) {
  const { rows } = await database.query(`
    with both_tables as (
      select oid, relname, relrowsecurity, relforcerowsecurity from pg_class
      where relname in ('invoices', 'invoice_lines') and relkind = 'r'
    )
    select relname as of, concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull,
        attidentity, pg_get_expr(adbin, adrelid)) as is
      from both_tables join pg_attribute a on attrelid = oid and attnum > 0 and not attisdropped
        left join pg_attrdef d on adrelid = a.attrelid and adnum = attnum
    union all
    select relname, conname || ' ' || pg_get_constraintdef(c.oid)
      from both_tables t join pg_constraint c on conrelid = t.oid and contype in ('p', 'f', 'c', 'u')
    union all
    select relname, indexdef from both_tables join pg_indexes on tablename = relname
    union all
    select relname, concat_ws(' ', policyname, permissive, roles, cmd, qual, with_check)
      from both_tables join pg_policies on tablename = relname
    union all
    select relname, concat_ws(' ', relrowsecurity, relforcerowsecurity) from both_tables
    order by 1, 2`)
  return rows
}
