export * from './check-vault.js';
export * from './vault-items.js';
export * from './vault-subject.js';
export * from './vault-switch.js';
