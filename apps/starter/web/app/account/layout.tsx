export { AccountLayout as default } from '@svc/web/account/next'
