/** Commit messages: type and scope of https://www.conventionalcommits.org, a short subject, and a body that says why. */
export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    'header-max-length': [2, 'always', 72],
    'body-empty': [2, 'never'],
    'body-max-line-length': [2, 'always', 100],
  },
};
