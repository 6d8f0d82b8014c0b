import type { Examples } from './examples.ts';

export const verbExamples: Examples = {
  'verb-not-literal': {
    hits: ['git $VERB x', 'kubectl "$1" pod x', 'docker $(cat verb)', 'git -C sub "$1"'],
    misses: ['git checkout $BRANCH', 'kubectl get "$KIND"', 'x=status; git $x', 'npm "$@"'],
  },
  'removes-remote': {
    hits: [
      'kubectl delete pod x',
      'aws ec2 terminate-instances --instance-ids i-1',
      'terraform destroy',
      'docker system prune -af',
      'gcloud compute instances delete x',
      'az group delete -n x',
      'helm uninstall x',
      'gh repo delete o/r',
      'vault secrets disable kv/',
      'pulumi destroy',
      'aws --profile p s3 rb s3://b',
      'heroku apps:destroy x',
      'docker run -v /:/h --privileged a sh',
      'kubectl --context prod delete ns x',
      'docker rm -f x',
    ],
    misses: [
      'kubectl get pods',
      'aws s3 ls',
      'terraform plan',
      'docker ps',
      'npm uninstall x',
      'kubectl delete ns x --dry-run=client',
      'gh pr list',
      'docker stop x',
      'helm repo remove x',
      'az vm list',
      'fly secrets unset',
      'kubectl logs delete-job-1',
    ],
  },
  'removes-unknown': {
    hits: ['k3s-uninstall.sh', 'acmectl destroy prod', 'foo cluster nuke', 'mytool purge --all'],
    misses: [
      'echo destroy x',
      'foo list',
      'grep -r delete .',
      'git checkout delete',
      'foo file --name delete',
    ],
  },
};
