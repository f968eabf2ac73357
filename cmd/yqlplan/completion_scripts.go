package main

import (
	"fmt"
	"strings"
)

// bashScript is plain bash, without the bash-completion package. Bash splits words at "=", so --format=json arrives
// as three words.
func bashScript(b *strings.Builder, program string, commands []command) {
	fmt.Fprintf(b, `# bash completion for %[1]s
_%[1]s() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=
	if [[ $cur == '=' ]]; then cur=; elif [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
	COMPREPLY=()
	if (( COMP_CWORD == 1 )); then
		COMPREPLY=($(compgen -W '%[2]s --help' -- "$cur"))
		return
	fi
	case ${COMP_WORDS[1]}:$prev in
`, program, strings.Join(names(commands), " "))
	for _, c := range commands {
		for _, f := range c.flags {
			if f.value.none {
				continue
			}
			fmt.Fprintf(b, "\t%s:--%s)", c.name, f.long)
			bashOperand(b, f.value)
			b.WriteString(" return ;;\n")
		}
	}
	b.WriteString("\tesac\n\tcase ${COMP_WORDS[1]} in\n")
	for _, c := range commands {
		fmt.Fprintf(b, "\t%s) if [[ $cur == -* ]]; then words='%s'; else", c.name, strings.Join(flagWords(c), " "))
		bashOperand(b, c.args)
		b.WriteString(" return; fi ;;\n")
	}
	fmt.Fprintf(b, "\tesac\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o filenames -F _%[1]s %[1]s\n", program)
}

// bashOperand sets COMPREPLY for one value.
func bashOperand(b *strings.Builder, o operand) {
	switch {
	case o.files:
		b.WriteString(` local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$cur"));`)
	case len(o.words) > 0:
		fmt.Fprintf(b, ` COMPREPLY=($(compgen -W '%s' -- "$cur"));`, strings.Join(o.words, " "))
	}
}

func names(commands []command) []string {
	var out []string
	for _, c := range commands {
		out = append(out, c.name)
	}
	return out
}

func flagWords(c command) []string {
	var out []string
	for _, f := range c.flags {
		if f.short != 0 {
			out = append(out, "-"+string(f.short))
		}
		out = append(out, "--"+f.long)
	}
	return out
}

func zshScript(b *strings.Builder, program string, commands []command) {
	fmt.Fprintf(b, "#compdef %[1]s\n\n_%[1]s() {\n\tlocal -a commands\n\tcommands=(\n", program)
	for _, c := range commands {
		fmt.Fprintf(b, "\t\t'%s:%s'\n", c.name, c.help)
	}
	b.WriteString("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n")
	b.WriteString("\tlocal chosen=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $chosen in\n")
	for _, c := range commands {
		fmt.Fprintf(b, "\t%s)\n\t\t_arguments", c.name)
		for _, f := range c.flags {
			fmt.Fprintf(b, " \\\n\t\t\t'--%s[%s]%s'", f.long, f.help, zshOperand(f.value))
			if f.short != 0 {
				fmt.Fprintf(b, " \\\n\t\t\t'-%c[%s]%s'", f.short, f.help, zshOperand(f.value))
			}
		}
		if !c.args.none {
			fmt.Fprintf(b, " \\\n\t\t\t'*%s'", zshOperand(c.args))
		}
		b.WriteString("\n\t\t;;\n")
	}
	fmt.Fprintf(b, "\tesac\n}\n\nif [[ $funcstack[1] == _%[1]s ]]; then\n\t_%[1]s\nelse\n\tcompdef _%[1]s %[1]s\nfi\n", program)
}

// zshOperand is the ":message:action" part of a specification of _arguments.
func zshOperand(o operand) string {
	switch {
	case o.none:
		return ""
	case o.files:
		return ":file:_files"
	case len(o.words) > 0:
		return ":value:(" + strings.Join(o.words, " ") + ")"
	}
	return ":value: "
}

func fishScript(b *strings.Builder, program string, commands []command) {
	fmt.Fprintf(b, "# fish completion for %[1]s\ncomplete -c %[1]s -f\n", program)
	for _, c := range commands {
		fmt.Fprintf(b, "complete -c %s -n __fish_use_subcommand -a %s -d '%s'\n", program, c.name, c.help)
	}
	for _, c := range commands {
		start := fmt.Sprintf("complete -c %s -n '__fish_seen_subcommand_from %s'", program, c.name)
		for _, f := range c.flags {
			b.WriteString(start)
			if f.short != 0 {
				fmt.Fprintf(b, " -s %c", f.short)
			}
			if !f.value.none {
				b.WriteString(" -r")
			}
			fmt.Fprintf(b, " -l %s%s -d '%s'\n", f.long, fishOperand(f.value), f.help)
		}
		if !c.args.none {
			fmt.Fprintf(b, "%s%s\n", start, fishOperand(c.args))
		}
	}
}

// fishOperand are the options of complete that say what a value is.
func fishOperand(o operand) string {
	switch {
	case o.none:
		return ""
	case o.files:
		return " -F"
	case len(o.words) > 0:
		return " -x -a '" + strings.Join(o.words, " ") + "'"
	}
	return " -x"
}
