import { defineFragment } from '../fragment.js';
import { optional, singleLine } from '../variable.js';

export const categories = defineFragment({
  title: 'Categories',
  variables: {
    ANNALS_CATEGORIES_FILE: optional(
      singleLine('the path of a YAML file'),
      'the categories and allowlists of `categories.example.yaml` apply',
      {
        description:
          'YAML file with the categories, their context modes and the allowlists of agents. Give gateways and extraction workers the same file. A changed file is reloaded within seconds, or immediately on SIGHUP; an invalid one is logged and changes nothing.',
      },
    ),
  },
  build: (values) => ({ file: values.ANNALS_CATEGORIES_FILE }),
});
